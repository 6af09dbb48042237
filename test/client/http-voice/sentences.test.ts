import fc from "fast-check";
import { expect, test } from "vitest";
import { sentencesOf } from "../../../src/client/http-voice/http-link.ts";

test("a text is asked for sentence by sentence", () => {
  expect(sentencesOf("The chair is made of oak. It costs 480 euros in our shop. ")).toEqual([
    "The chair is made of oak. ",
    "It costs 480 euros in our shop. ",
  ]);
});

test("short sentences stay with their neighbours", () => {
  expect(sentencesOf("Yes. It does. And it can be delivered on Monday.")).toEqual([
    "Yes. It does. And it can be delivered on Monday.",
  ]);
});

test("nothing but white space is lost, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const sentences = sentencesOf(text);
      expect(sentences.join("").trim()).toBe(text.trim());
      for (const sentence of sentences) expect(sentence.trim()).not.toBe("");
    }),
  );
});
