import fc from "fast-check";
import { expect, test } from "vitest";
import { speechFeatures } from "../../../../src/service/speech/alignment/speech-features.ts";
import { clearOf, restingIn, speechPauses } from "../../../../src/service/speech/alignment/align-speech.ts";

const tone = (ms: number) => Array.from({ length: ms * 16 }, (_, at) => 8_000 * Math.sin(at / 5));
const quiet = (ms: number) => Array.from({ length: ms * 16 }, () => 0);

test("a pause is silence between sounds that is longer than the closure before a plosive", () => {
  const pcm = [quiet(300), tone(400), quiet(80), tone(300), quiet(400), tone(300), quiet(500)].flat();
  const pauses = speechPauses(speechFeatures(Int16Array.from(pcm)));
  expect(pauses).toHaveLength(1);
  expect(Math.abs(pauses[0]!.start - 1_080)).toBeLessThanOrEqual(20);
  expect(Math.abs(pauses[0]!.end - 1_480)).toBeLessThanOrEqual(20);
  expect(speechPauses(speechFeatures(new Int16Array(16_000)))).toEqual([]);
});

test("words end at the beginning of a pause, or begin at its end", () => {
  const pauses = [{ start: 400, end: 700 }];
  expect(
    clearOf(pauses, [
      { text: "before", start: 100, end: 500 },
      { text: "after", start: 500, end: 1_000 },
      { text: "within", start: 450, end: 600 },
      { text: "apart", start: 1_000, end: 1_200 },
    ]),
  ).toEqual([
    { text: "before", start: 100, end: 400 },
    { text: "after", start: 700, end: 1_000 },
    { text: "within", start: 450, end: 450 },
    { text: "apart", start: 1_000, end: 1_200 },
  ]);
});

test("for any shapes, the mouth rests in pauses, and the timeline has no gaps or overlaps", () => {
  const lengths = fc.array(fc.tuple(fc.constantFrom("aa", "sil", "PP"), fc.integer({ min: 1, max: 400 })), {
    minLength: 1,
    maxLength: 12,
  });
  const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 150, max: 400 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(lengths, gaps, (shapes, stretches) => {
      let end = 0;
      const visemes = shapes.map(([viseme, ms]) => ({
        viseme: viseme as "aa",
        start: end,
        end: (end += ms),
      }));
      let at = 0;
      const pauses = stretches.map(([before, ms]) => ({ start: (at += before), end: (at += ms) }));
      const within = pauses.filter((pause) => pause.end <= end);
      const rested = restingIn(within, visemes);
      let before = 0;
      for (const { start, end: until } of rested) {
        expect(start).toBe(before);
        before = until;
      }
      expect(before).toBe(end);
      for (const pause of within)
        for (const { viseme, start, end: until } of rested)
          if (start < pause.end && until > pause.start) expect(viseme).toBe("sil");
    }),
  );
});
