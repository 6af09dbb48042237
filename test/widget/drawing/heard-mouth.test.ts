import { describe, expect, it } from "vitest";
import { HeardMouth } from "../../../src/widget/drawing/local/sound-delay.ts";

const frameMs = 1_000 / 60;
const silentDb = -90;

/** How far a mouth is open after each frame. */
function follow(mouth: HeardMouth, fromMs: number, levelsDb: readonly number[], isKnown = false): number[] {
  return levelsDb.map((level, frame) => {
    mouth.hear(level, fromMs + frame * frameMs, isKnown);
    return Object.values(mouth.addTo({})).reduce((sum, weight) => sum + weight, 0);
  });
}

/** Syllables: 100 ms loud, 100 ms nearly silent. */
const voice = (loudDb: number): number[] =>
  Array.from({ length: 120 }, (_, frame) => (frame % 12 < 6 ? loudDb : loudDb - 30));

describe("the mouth that follows the sound", () => {
  it.each([-12, -30])("opens and closes with the syllables of a voice of %d dB", (loudDb) => {
    const open = follow(new HeardMouth(), 0, voice(loudDb)).slice(24);
    expect(Math.max(...open)).toBeGreaterThan(0.4);
    expect(Math.min(...open)).toBeLessThan(0.2);
    expect(Math.max(...open)).toBeLessThanOrEqual(1);
  });

  it("is closed in silence and soon after a voice", () => {
    const mouth = new HeardMouth();
    follow(mouth, 0, voice(-20));
    const after = follow(
      mouth,
      2_000,
      Array.from({ length: 30 }, () => silentDb),
    );
    expect(after.at(-1)).toBe(0);
    expect(follow(new HeardMouth(), 0, [silentDb, -70, silentDb]).every((open) => open === 0)).toBe(true);
  });

  it("leaves the mouth to what is known, without a jump in either direction", () => {
    const mouth = new HeardMouth();
    const loud = Array.from({ length: 30 }, () => -20);
    const alone = follow(mouth, 0, loud);
    const known = follow(mouth, 500, loud, true);
    const again = follow(mouth, 1_000, loud);
    expect(known.at(-1)).toBe(0);
    expect(again.at(-1)).toBeGreaterThan(0.4);
    const all = [...alone, ...known, ...again];
    const steps = all.slice(1).map((open, i) => Math.abs(open - (all[i] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.3);
  });

  it("never opens wider than one shape together with others", () => {
    const mouth = new HeardMouth();
    follow(
      mouth,
      0,
      Array.from({ length: 30 }, () => -20),
    );
    const weights = mouth.addTo({ aa: 0.5, PP: 0.5 });
    expect(weights).toMatchObject({ aa: 0.5, PP: 0.5 });
    expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
  });

  it("does not follow a voice that was stopped, but the next one", () => {
    const mouth = new HeardMouth();
    follow(
      mouth,
      0,
      Array.from({ length: 30 }, () => -20),
    );
    mouth.mute();
    expect(
      follow(
        mouth,
        500,
        Array.from({ length: 30 }, () => -20),
      ).at(-1),
    ).toBeLessThan(0.01);
    follow(mouth, 1_000, [silentDb]);
    expect(Math.max(...follow(mouth, 1_020, voice(-20)))).toBeGreaterThan(0.4);
  });
});
