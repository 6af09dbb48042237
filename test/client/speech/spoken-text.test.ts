import fc from "fast-check";
import { expect, test } from "vitest";
import { joinPiece, splitSpeech } from "../../../src/client/speech/spoken-text.ts";

test("adds a space between sentences that have none, and changes nothing else", () => {
  expect(joinPiece("It is oak.", "We deliver.")).toBe("It is oak. We deliver.");
  expect(joinPiece("It is oak. ", "We deliver.")).toBe("It is oak. We deliver.");
  expect(joinPiece("It costs 3.", "50 euros")).toBe("It costs 3.50 euros");
  expect(joinPiece("Hel", "lo")).toBe("Hello");
  expect(joinPiece("좋아요.", "감사합니다.")).toBe("좋아요.감사합니다.");
});

test("splits a long text at white space into pieces that the service accepts, each with its position", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
      const parts = splitSpeech(text, limit);
      for (const { offset, text: part } of parts) {
        expect(part.length).toBeLessThanOrEqual(limit);
        expect(text.slice(offset, offset + part.length)).toBe(part);
      }
      expect(
        parts
          .map(({ text: part }) => part)
          .join("")
          .replace(/\s/g, ""),
      ).toBe(text.replace(/\s/g, ""));
    }),
  );
  expect(splitSpeech("one two three", 8).map(({ text }) => text)).toEqual(["one two", " three"]);
});
