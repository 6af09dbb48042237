import fc from "fast-check";
import { expect, test } from "vitest";
import { timeWords } from "../../../src/client/speech/speech.ts";

const word = (text: string, start: number): { text: string; start: number; end: number } => ({
  text,
  start,
  end: start + 100,
});

test("takes the service's times for words that are equal apart from punctuation", () => {
  expect(
    timeWords("Hello, dear visitor.", 900, [word("hello", 0), word("dear", 300), word("visitor", 500)]),
  ).toEqual([
    { text: "Hello,", end: 6, startMs: 0 },
    { text: "dear", end: 11, startMs: 300 },
    { text: "visitor.", end: 20, startMs: 500 },
  ]);
});

test("places a word that is spoken differently from its spelling between its neighbours", () => {
  const spoken = [
    word("it", 0),
    word("costs", 200),
    word("twenty", 500),
    word("five", 800),
    word("dollars", 1_100),
  ];
  const starts = timeWords("It costs $25 today", 2_000, [...spoken, word("today", 1_500)]).map(
    ({ startMs }) => startMs,
  );
  expect(starts.slice(0, 2)).toEqual([0, 200]);
  expect(starts[2]).toBeGreaterThan(200);
  expect(starts[2]).toBeLessThan(1_500);
  expect(starts[3]).toBe(1_500);
});

test("spreads the words over the duration when no times are given", () => {
  const starts = timeWords("one two three", 1_000).map(({ startMs }) => startMs);
  expect(starts[0]).toBe(0);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(starts[2]).toBeLessThan(1_000);
});

test("gives every word a time within the utterance, in order, for any written and spoken text", () => {
  const text = fc.array(fc.stringMatching(/^[A-Za-z0-9$,.]{1,6}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (written, spoken) => {
      const timed = spoken.map((part, index) => word(part, index * 100));
      const words = timeWords(written.join(" "), spoken.length * 100, timed);
      expect(words.map(({ text: shown }) => shown)).toEqual(written);
      const starts = words.map(({ startMs }) => startMs);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      for (const startMs of starts) {
        expect(startMs).toBeGreaterThanOrEqual(0);
        expect(startMs).toBeLessThanOrEqual(spoken.length * 100);
      }
    }),
  );
});
