import { describe, expect, test } from "vitest";
import { textPassages } from "../../../../src/service/language/passages/passages.ts";

const ofText = (instructions: string) => textPassages({ instructions, documents: [] });
const sentences = (instructions: string): string[] => ofText(instructions).map(({ text }) => text);
/** The heading of the last sentence of a text. */
const heading = (text: string): string | undefined => ofText(text).at(-1)?.heading;

describe("sentences that may be quoted", () => {
  test("are plain text, one by one, with their heading and their document", () => {
    const parts = {
      instructions: "# Delivery\r\nWe **deliver** to   Graz. It takes 3 days.\r\n\r\n- Free  above 50 euros.",
      documents: [
        { document: 2, text: "Returns\nSend it **back**." },
        { document: 5, text: "1. Pay. \n12) Later." },
      ],
    };
    expect(textPassages(parts)).toEqual([
      { text: "We deliver to Graz.", heading: "Delivery", document: null },
      { text: "It takes 3 days.", heading: "Delivery", document: null },
      { text: "Free above 50 euros.", heading: "Delivery", document: null },
      { text: "Send it back.", heading: "Returns", document: 2 },
      { text: "Pay.", heading: "", document: 5 },
      { text: "Later.", heading: "", document: 5 },
    ]);
  });

  test.each([
    ["123. Number.", ["123.", "Number."].slice(1)],
    ["a * b ** c.", ["a * b ** c."]],
    ["• One.\n* Two.\n- Three.", ["One.", "Two.", "Three."]],
    ["-One.", ["-One."]],
    ["12345.", []],
    ["!!!", []],
  ])("of %j are %j", (text, said) => {
    expect(sentences(text)).toEqual(said);
  });
});

describe("the heading", () => {
  const long = "One two three four five six seven eight nine";
  test.each([
    ["## Opening hours ##\nOpen.", "Opening hours"],
    ["###### Hours\nOpen.", "Hours"],
    ["**Hours**\nOpen.", "Hours"],
    ["**Hours:**\nOpen.", "Hours"],
    ["**Hours**:\nOpen.", "Hours"],
    ["**When?**\nOpen.", "When?"],
    ["Hours:\n\nOpen.", "Hours"],
    ["Hours\nOpen.", "Hours"],
    ["  Hours  \n  Open.", "Hours"],
    [`${long.slice(0, -5)}\nOpen.`, "One two three four five six seven eight"],
    [`${"x".repeat(80)}\nOpen.`, "x".repeat(80)],
    ["One\nTwo\nOpen.", "Two"],
    // No headings.
    ["####### Hours\nOpen.", "####### Hours"],
    [`${long}\nOpen.`, ""],
    [`${"x".repeat(81)}\nOpen.`, ""],
    ["Hours.\nOpen.", ""],
    ["Really?\nOpen.", ""],
    ['He said "no."\nOpen.', ""],
    ["- Hours\nOpen.", ""],
    ["* Hours\nOpen.", ""],
    ["• Hours\nOpen.", ""],
    ["5 chairs\nOpen.", ""],
    ["#Hours.\nOpen.", ""],
    ["a ## Hours.\nOpen.", ""],
    ["a **Hours** b.\nOpen.", ""],
    ["Hours\n\nOpen.", ""],
    ["Hours\n  \nOpen.", ""],
  ])("of %j is %j", (text, of) => {
    expect(heading(text)).toBe(of);
  });

  test("is no sentence itself, but a last line is", () => {
    expect(sentences("# Hours\nOpen\n\nClosed")).toEqual(["Open", "Closed"]);
  });
});

describe("sentences for the avatar itself are left out of the instructions", () => {
  test.each([
    "You are a friendly, patient assistant of the museum.",
    "You're the host.",
    "You are an expert for chairs and for tables.",
    "You are Mara.",
    "YOUR NAME IS Mara.",
    "Your answer is short.",
    "Your answers are short.",
    "Your role is to help.",
    "Act as a guide.",
    "Pretend to know it.",
    "Stay in character.",
    "Answer in German.",
    "Keep it short.",
    "Keep your answers short.",
    "Keep the replies short.",
    "Greet visitors.",
    "Always be polite.",
    "Never promise refunds.",
    "Do  not invent prices.",
    "Do not   mention others.",
    "Please speak slowly.",
    "Don't apologise.",
    "Do not apologize.",
    "If a visitor asks for more, say so.",
    "When they want a person, tell them.",
    "If you do not know it, say so.",
    "If the customer wants a refund, help.",
    "This is in the system prompt.",
    "Follow these instructions.",
    "As an AI you cannot feel.",
  ])("%s", (sentence) => {
    expect(sentences(sentence)).toEqual([]);
    expect(textPassages({ instructions: "", documents: [{ document: 0, text: sentence }] })).toHaveLength(1);
  });

  test.each([
    "We say: you are our guest.",
    "Sometimes you are an assistant.",
    "Then answer the letter.",
    "Answers are free.",
    "You may always ask.",
    "Our staff never tell secrets.",
    "What if a visitor asks?",
    "If it rains, we stay inside.",
    "If visitors come late, we open.",
    "Youth is a host of things.",
    "The gas station is open.",
  ])("but not: %s", (sentence) => {
    expect(sentences(sentence)).toEqual([sentence]);
  });
});
