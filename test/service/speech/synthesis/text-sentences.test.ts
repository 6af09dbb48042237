import fc from "fast-check";
import { expect, test } from "vitest";
import { textSentences } from "../../../../src/service/speech/synthesis/text-sentences.ts";

test.each([
  ["One is here. Two is there. Three.", 16, ["One is here. ", "Two is there. ", "Three."]],
  ["One. Two. Three is longer.", 12, ["One. Two. ", "Three is ", "longer."]],
  ["Ask Dr. Smith today. He knows.", 24, ["Ask Dr. Smith today. ", "He knows."]],
  ["First a clause, then more words of it", 20, ["First a clause,", " then more words of ", "it"]],
  [
    "\u6211\u4eec\u6709\u6905\u5b50\u3002\u4f60\u8981\u4e70\u5417\uff1f",
    8,
    ["\u6211\u4eec\u6709\u6905\u5b50\u3002", "\u4f60\u8981\u4e70\u5417\uff1f"],
  ],
])("%j is cut at %i characters into %j", (text, maxLength, pieces) => {
  expect(textSentences(text, maxLength)).toEqual(pieces);
});

test("the joined pieces are the text; no piece is too long, or without words next to one with words", () => {
  const texts = fc
    .array(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(". ", "! ", "word ", "😀", ", ", "다", "。")),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const pieces = textSentences(text, 20);
      expect(pieces.join("")).toBe(text);
      const spoken = pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece));
      if (spoken.length > 0) expect(spoken).toHaveLength(pieces.length);
      // No surrogate pair is split.
      for (const piece of pieces.slice(0, -1)) expect(piece).not.toMatch(/[\uD800-\uDBFF]$/);
    }),
  );
});
