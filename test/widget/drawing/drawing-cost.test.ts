import { describe, expect, it, vi } from "vitest";
import { DrawingCost } from "../../../src/widget/drawing/local/drawing-cost.ts";

/** Whether frames of this cost, 30 a second, are too much within ten seconds. */
function isTooMuch(costMs: number, mayBeSlow: boolean): boolean {
  const cost = new DrawingCost();
  return Array.from({ length: 300 }, (_, frame) => cost.add(costMs, frame * 33, mayBeSlow)).includes(true);
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
    expect(isTooMuch(5, false)).toBe(false);
    expect(isTooMuch(15, false)).toBe(true);
    expect(isTooMuch(15, true)).toBe(false);
    expect(isTooMuch(30, true)).toBe(true);
  });

  it("counts nothing over a pause, as of a hidden page", () => {
    const cost = new DrawingCost();
    const judged = Array.from({ length: 50 }, (_, i) => cost.add(3_000, i * 5_000));
    expect(judged).not.toContain(true);
  });
});
