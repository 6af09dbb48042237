import * as fc from "fast-check";
import { expect, test } from "vitest";
import { writtenWords } from "../../../../src/service/sessions/speech/session-speech.ts";

/** Spoken words of 100 ms each. */
function said(text: string) {
  return text.split(" ").map((word, index) => ({ text: word, start: index * 100, end: (index + 1) * 100 }));
}

test("words that are spoken differently from their spelling take the time of the spoken words", () => {
  expect(writtenWords("Dr. Lee paid $12 today.", said("Doctor Lee paid twelve dollars today."))).toEqual([
    { text: "Dr.", start: 0, end: 100 },
    { text: "Lee", start: 100, end: 200 },
    { text: "paid", start: 200, end: 300 },
    { text: "$12", start: 300, end: 500 },
    { text: "today.", start: 500, end: 600 },
  ]);
});

test("several written words share the spoken time between their neighbours, by length", () => {
  expect(writtenWords("a & bbb z", said("one two z"))).toEqual([
    { text: "a", start: 0, end: 40 },
    { text: "&", start: 40, end: 80 },
    { text: "bbb", start: 80, end: 200 },
    { text: "z", start: 200, end: 300 },
  ]);
});

test("words that were not spoken have length 0", () => {
  expect(writtenWords("so 😀 good", said("so good"))).toEqual([
    { text: "so", start: 0, end: 100 },
    { text: "😀", start: 100, end: 100 },
    { text: "good", start: 100, end: 200 },
  ]);
});

test("for any spoken words, every written word is present, in order and within the duration", () => {
  const words = fc.array(fc.constantFrom("a", "b", "$1", "c,", "…"), { maxLength: 12 });
  fc.assert(
    fc.property(words, words, (written, spoken) => {
      const timed = spoken.map((text, index) => ({ text, start: index * 10, end: index * 10 + 10 }));
      const result = writtenWords(written.join(" "), timed);
      expect(result.map(({ text }) => text)).toEqual(written);
      let before = 0;
      for (const { start, end } of result) {
        expect(start).toBeGreaterThanOrEqual(before - 1e-9);
        expect(end).toBeGreaterThanOrEqual(start - 1e-9);
        before = end;
      }
      expect(before).toBeLessThanOrEqual(spoken.length * 10 + 1e-9);
    }),
  );
});
