import { describe, expect, it } from "vitest";
import { readRichContent } from "../../../src/protocol/answers/read-rich-content.ts";

const button = { label: "Add to basket" };
const field = { name: "day", label: "Day" };
const long = (length: number) => "x".repeat(length);

describe("rich content", () => {
  it.each([
    { suggestions: ["And in green?"] },
    { buttons: [button, { label: "Shop", href: "https://shop.example" }, { label: "Buy", action: "buy:1" }] },
    {
      cards: [
        {
          title: "Alder chair",
          text: "Moss green wool",
          price: "€480",
          picture: { src: "https://shop.example/alder.webp", alt: "A green chair" },
          href: "https://shop.example/alder",
          buttons: [button],
        },
      ],
    },
    {
      form: {
        fields: [field, { ...field, name: "kind", type: "choice", options: ["a", "b"], required: true }],
      },
    },
    { handover: true },
  ])("%j is read as it is", (content) => {
    expect(readRichContent(content)).toEqual({ content });
  });

  it.each([
    ["text", "The content must be an object."],
    [{}, "The content has nothing to show. Give it suggestions, buttons, cards, a form or handover."],
    [{ html: "<b>" }, "html is not a field here. There are: suggestions, buttons, cards, form, handover."],
    [{ suggestions: "Why?" }, "suggestions must be a list of 1 to 6 texts of 1 to 200 characters."],
    [
      { buttons: [button, { lable: "x" }] },
      "buttons[1].lable is not a field here. There are: label, send, action, href.",
    ],
    [{ buttons: [{ label: "" }] }, "buttons[0].label must be a text of 1 to 80 characters."],
    [{ buttons: Array(7).fill(button) }, "buttons must be a list of 1 to 6 buttons."],
    [
      { buttons: [{ ...button, send: "a", href: "b" }] },
      "buttons[0] may have only one of send, action and href.",
    ],
    [{ cards: [{ title: long(121) }] }, "cards[0].title must be a text of 1 to 120 characters."],
    [
      { cards: [{ title: "a", picture: {} }] },
      "cards[0].picture.src must be an address of at most 2000 characters.",
    ],
    [{ cards: Array(9).fill({ title: "a" }) }, "cards must be a list of 1 to 8 cards."],
    [
      { form: { fields: Array.from({ length: 5 }, (_, n) => ({ name: `f${n}`, label: "a" })) } },
      "form.fields must be a list of 1 to 4 fields.",
    ],
    [{ form: { fields: [field, field] } }, "form.fields must have different names."],
    [
      { form: { fields: [{ ...field, type: "choice" }] } },
      "form.fields[0] needs options if its type is choice, and only then.",
    ],
    [
      { form: { fields: [{ ...field, type: "file" }] } },
      "form.fields[0].type must be one of text, email, tel, number, date, multiline, choice.",
    ],
    [
      {
        cards: Array(8).fill({
          title: "a",
          href: long(2_000),
          picture: { src: long(2_000) },
          buttons: Array(3).fill({ label: "a", href: long(2_000) }),
        }),
      },
      "The content is longer than 32768 characters.",
    ],
  ])("%j is refused with what is wrong", (content, fault) => {
    expect(readRichContent(content)).toEqual({ fault });
  });
});
