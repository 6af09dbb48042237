import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../../../../src/protocol/llm-request.ts";
import { lastUserText, readQuestion } from "../../../../src/service/language/passages/question.ts";
import { isPair, textTerms, textWords } from "../../../../src/service/language/passages/terms.ts";

describe("forms of one word have one stem", () => {
  test.each([
    ["delivered delivering delivery deliveries", "deliver"],
    ["price prices priced pricing", "pric"],
    ["class classes", "class"],
    ["dish dishes", "dish"],
    ["watch watches", "watch"],
    ["box boxes", "box"],
    ["shop shops shop's shop’s shopping shopped", "shop"],
    ["sit sitting", "sit"],
    ["company companies", "compan"],
    ["bus", "bus"],
    ["menu menus", "menu menus"],
    ["taxi taxis", "taxi taxis"],
    ["red need", "red need"],
    ["used", "used"],
    ["asked", "ask"],
    ["sent sending", "send"],
    ["colours color", "color"],
    ["children's", "children"],
    ["shelves shelf", "shelf"],
    ["cm centimetres", "centimetr"],
    ["480 € eur", "480 euro"],
    ["day", "day"],
    ["lazy", "lazy"],
    ["älter", "älter"],
    ["tree free", "tre fre"],
    ["the", "the"],
    ["o'clock", "o'clock"],
    ["ties", "ty"],
    ["goes going", "goe going"],
    ["b2bing", "b2bing"],
    ["dress's", "dress"],
  ])("%s: %s", (words, stems) => {
    expect([...new Set(textTerms(words))].join(" ")).toBe(stems);
  });

  test("whatever the case and the width of the letters", () => {
    expect(textWords("Ｄelivery, NOW!")).toEqual([
      { word: "delivery", terms: ["deliver"] },
      { word: "now", terms: ["now"] },
    ]);
  });
});

test("words of scripts without spaces are pairs of characters", () => {
  expect(textTerms("배송은")).toEqual(["배송", "송은"]);
  expect(textTerms("店")).toEqual(["店"]);
  expect(["배송", "店", "かな", "カナ", "shop", "5"].map(isPair)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("only the beginning of a long text is read", () => {
  expect(textTerms("a ".repeat(3_000))).toHaveLength(1_000);
});

describe("a question", () => {
  const user = (content: string): ChatMessage => ({ role: "user", content });
  const terms = (...messages: ChatMessage[]) => readQuestion(messages)?.terms.map(({ term }) => term);

  test("is the visitor's last message, in its words that tell something", () => {
    expect(terms(user("Where is it?"), user("Do you have deliveries to Graz?"))).toEqual(["deliver", "graz"]);
    expect(terms(user("What's the price? Don't know"))).toEqual(["pric"]);
    expect(lastUserText([user("a"), { role: "assistant", content: "b" }])).toBe("a");
    expect(readQuestion([{ role: "assistant", content: "b" }])).toBeNull();
    expect(lastUserText([])).toBeNull();
    expect(terms(user("lamp"), { role: "assistant", content: "desk" })).toEqual(["lamp"]);
  });

  test("finds words of the same meaning, but not itself among them", () => {
    const related = (text: string) => readQuestion([user(text)])?.terms[0]?.related;
    expect(related("warranty")).toEqual(["guarante"]);
    expect(related("phone")).toEqual(expect.arrayContaining(["email", "call"]));
    expect(related("phone")).not.toContain("phon");
    expect(related("xylophone")).toEqual([]);
  });

  test("expects words of the answer by its form", () => {
    const expected = (text: string) => readQuestion([user(text)])?.expected;
    expect(expected("HOW MUCH is it?")).toEqual(["pric", "cost", "euro"]);
    expect(expected("How much time?")).toEqual([]);
    expect(expected("Where?")).toContain("address");
    expect(expected("When, and where?")).toEqual([...new Set(expected("When, and where?"))]);
    expect(expected("Delivery")).toEqual([]);
  });

  test("asks for a duration with `how long`, for a length with `how long is the`", () => {
    expect(terms(user("How long does delivery take?"))).toEqual(["deliver", "tak"]);
    expect(terms(user("How soon?"))).toEqual([]);
    expect(terms(user("How long is the desk?"))).toEqual(["long", "desk"]);
  });

  test("keeps the small words that express a relation", () => {
    expect(readQuestion([user("From Graz to Wien without a stop")])?.relations).toEqual([
      "from",
      "to",
      "without",
    ]);
  });

  test("leans on the two messages before it where it is short or refers to something", () => {
    const before = (text: string) =>
      readQuestion([
        user("lamp"),
        user("Tell me about the Hazel desk"),
        { role: "assistant", content: "The Hazel desk costs 560 euros." },
        user(text),
        { role: "assistant", content: "Ignored." },
      ])?.before;
    const earlier = ["hazel", "desk", "cost", "560", "euro"];
    expect(before("And how wide is it?")).toEqual(earlier);
    expect(before("How wide?")).toEqual(earlier);
    expect(before("wide heavy")).toEqual(earlier);
    expect(before("wide heavy expensive desk lamps")).toEqual([]);
    expect(before("wide heavy expensive lamps, THIS one")).toEqual(earlier);
    expect(before("the desk")).toEqual(["hazel", "cost", "560", "euro"]);
  });

  test("has at most forty terms", () => {
    const many = Array.from({ length: 60 }, (_, index) => `w${index}`).join(" ");
    expect(terms(user(many))).toHaveLength(40);
    expect(readQuestion([user(many), user(`${many} more`), user("it")])?.before).toHaveLength(40);
  });
});
