import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { matchEnvelopes, type Heard } from "../../../src/widget/drawing/local/envelope-match.ts";

/** Loudness of syllables of uneven length, a value each 20 ms. */
const loudness = Array.from({ length: 150 }, (_, i) =>
  Math.max(0, Math.sin(i / 3 + Math.sin(i / 11) * 2) * (0.6 + 0.4 * Math.sin(i / 17))),
);

/** What a page hears of it, 60 times a second, so much later and so loud. */
function heardLater(delayMs: number, gainDb: number, noise = 0): Heard[] {
  return Array.from({ length: 120 }, (_, frame) => {
    const atMs = 1_000 + frame * (1_000 / 60);
    const at = (atMs - 1_000 - delayMs) / 20 - 0.5;
    const [before, after] = [loudness[Math.floor(at)] ?? 0, loudness[Math.floor(at) + 1] ?? 0];
    const level = before + (after - before) * (at - Math.floor(at));
    return { atMs, level: -26 + 26 * level + gainDb + noise * Math.sin(frame * 7.3) };
  });
}

describe("comparing what is heard with what was announced", () => {
  it("tells how much later it is heard, however loud, to a few ms", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -80, max: 500 }),
        fc.integer({ min: -30, max: 10 }),
        (delayMs, gainDb) => {
          const found = matchEnvelopes(heardLater(delayMs, gainDb), loudness, 1_000, [-150, 650]);
          expect(Math.abs((found ?? Infinity) - delayMs)).toBeLessThanOrEqual(6);
        },
      ),
    );
  });

  it("bears noise", () => {
    const found = matchEnvelopes(heardLater(120, -12, 2), loudness, 1_000, [-150, 650]);
    expect(Math.abs((found ?? Infinity) - 120)).toBeLessThanOrEqual(8);
  });

  it("says nothing of silence, of other sound, or of too little", () => {
    const other = heardLater(100, 0).map(({ atMs }, i) => ({ atMs, level: -20 + 20 * Math.sin(i * i) }));
    expect(matchEnvelopes(other, loudness, 1_000, [-150, 650])).toBeNull();
    expect(matchEnvelopes(heardLater(100, 0).slice(0, 10), loudness, 1_000, [-150, 650])).toBeNull();
    const silence = other.map(({ atMs }) => ({ atMs, level: -90 }));
    expect(matchEnvelopes(silence, loudness, 1_000, [-150, 650])).toBeNull();
  });
});
