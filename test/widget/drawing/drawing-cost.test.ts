import { describe, expect, it, vi } from "vitest";
import { DrawingCost } from "../../../src/widget/drawing/local/local-renderer.ts";

/** After how many ms frames of this cost are too much, within ten seconds. The browser shows so many in a second, and all are drawn. */
function tooMuchAfterMs(costMs: number, mayBeSlow: boolean, perSec = 30): number | undefined {
  const cost = new DrawingCost();
  const frames = Array.from({ length: 10 * perSec }, (_, frame) => (frame * 1_000) / perSec);
  return frames.find((atMs) => cost.add(costMs, atMs, 1, mayBeSlow));
}

/** What is found out by frames that cost so much. */
async function judged(costMs: number) {
  const counts = { frames: 0, pauses: 0 };
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const draw = (): void => {
    counts.frames++;
    nowMs += costMs;
  };
  const pause = (): Promise<void> => {
    counts.pauses++;
    return Promise.resolve();
  };
  try {
    const isTooMuch = await DrawingCost.isTooMuch(draw, pause);
    return { isTooMuch, ...counts };
  } finally {
    clock.mockRestore();
  }
}

describe("the cost of drawing in the browser", () => {
  it("is measured ahead in pieces, and no longer than it takes to know", async () => {
    expect(await judged(2)).toEqual({ isTooMuch: false, frames: 12, pauses: 3 });
    expect(await judged(20)).toEqual({ isTooMuch: true, frames: 8, pauses: 8 });
  });

  it("is too much above 30 % of the main thread, or above 80 % where it must be drawn there", () => {
    expect(tooMuchAfterMs(5, false)).toBeUndefined();
    expect(tooMuchAfterMs(15, false)).toBeGreaterThan(3_900);
    expect(tooMuchAfterMs(15, true)).toBeUndefined();
    expect(tooMuchAfterMs(30, true)).toBeGreaterThan(3_900);
  });

  it("is too much where the browser shows fewer frames than a video has, however little the main thread does", () => {
    expect(tooMuchAfterMs(0.5, false, 30)).toBeUndefined();
    expect(tooMuchAfterMs(0.5, false, 20)).toBeGreaterThan(3_900);
    expect(tooMuchAfterMs(0.5, true, 20)).toBeUndefined();
  });

  it("is known sooner where it is extreme", () => {
    expect(tooMuchAfterMs(30, false)).toBeLessThan(2_100);
    expect(tooMuchAfterMs(0.5, false, 5)).toBeLessThan(2_300);
  });

  it("is not taken for a slow GPU where only some of the shown frames are drawn", () => {
    const cost = new DrawingCost();
    const judged = Array.from({ length: 100 }, (_, i) => cost.add(1, i * 50, 3));
    expect(judged).not.toContain(true);
  });

  it("counts nothing over a pause, as of a hidden page", () => {
    const cost = new DrawingCost();
    const judged = Array.from({ length: 50 }, (_, i) => cost.add(3_000, i * 5_000, 1));
    expect(judged).not.toContain(true);
  });
});
