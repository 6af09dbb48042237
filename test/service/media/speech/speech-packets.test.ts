import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loudnessOfDigit, speechPartSchema } from "../../../../src/protocol/speech/speech-part.ts";
import { visemes as names } from "../../../../src/protocol/speech/timed-viseme.ts";
import type { SpeechTimeline } from "../../../../src/puppet/index.ts";
import { speechPackets } from "../../../../src/service/media/speech/speech-announcer.ts";

/** A speech of shapes of these lengths, with words of four shapes. */
function speechOf(lengthsMs: readonly number[]): SpeechTimeline & { durationMs: number } {
  let at = 0;
  const visemes = lengthsMs.map((ms, i) => ({
    viseme: names[i % names.length] ?? "sil",
    start: at,
    end: (at += ms),
  }));
  const words = visemes
    .filter((_, i) => i % 4 === 0)
    .map(({ start }, i) => ({ text: `wonderful${i}`, start, end: start + 200 }));
  const loudness = Array.from({ length: Math.ceil(at / 20) }, (_, i) => (i % 50) / 50);
  return { visemes, words, loudness, durationMs: at };
}

const header = { speech: 100_000, began: 1_000_000_000, sent: 1_000_000_000 };

describe("the parts of a speech's timeline", () => {
  it("fit into one packet each, follow each other without gaps, and are what clients accept", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 5, max: 900, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (lengthsMs) => {
          const { durationMs, ...timeline } = speechOf(lengthsMs);
          const parts = speechPackets(timeline, durationMs);
          expect(parts[0]?.from).toBe(0);
          expect(parts.at(-1)?.to).toBe(Math.round(durationMs));
          parts.forEach((part, i) => {
            const text = JSON.stringify({ ...header, ...part });
            expect(text.length).toBeLessThan(i === 0 ? 560 : 1_120);
            expect(speechPartSchema.safeParse(JSON.parse(text)).success).toBe(true);
            expect(part.from).toBe(i === 0 ? 0 : parts[i - 1]?.to);
          });
        },
      ),
    );
  });

  it("together say what the speech is", () => {
    const { durationMs, ...timeline } = speechOf(Array.from({ length: 120 }, (_, i) => 40 + (i % 7) * 15));
    const parts = speechPackets(timeline, durationMs);
    expect(parts.length).toBeGreaterThan(1);
    const shapes = parts.map(({ visemes }) => visemes).join("");
    expect(shapes).toBe(timeline.visemes.map(({ viseme, start, end }) => `${viseme}${end - start}`).join(""));
    for (const { from, loudness } of parts)
      Array.from(loudness).forEach((digit, i) => {
        const told = timeline.loudness?.[Math.floor(from / 20) + i] ?? 0;
        expect(Math.abs(loudnessOfDigit(digit) - told)).toBeLessThan(0.02);
      });
    const accents = parts.flatMap((part) => part.accents.map(([start = NaN]) => [part, start] as const));
    expect(accents.length).toBeGreaterThan(3);
    for (const [{ from, to }, start] of accents) expect(start >= from && start < to).toBe(true);
  });

  it("say sil where no shape is, also for a long silence and for speech without shapes", () => {
    const [first, ...others] = speechPackets(
      { visemes: [{ viseme: "aa", start: 30, end: 100 }], words: [], loudness: [] },
      60_000,
    );
    expect(first?.visemes).toMatch(/^sil30aa70sil\d+/);
    expect(others.at(-1)?.to).toBe(60_000);
    expect(speechPackets({ visemes: [], words: [] }, 500)).toMatchObject([
      { from: 0, to: 500, visemes: "sil500" },
    ]);
  });
});
