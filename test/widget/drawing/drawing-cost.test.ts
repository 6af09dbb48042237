import { describe, expect, it } from "vitest";
import { DrawingCost } from "../../../src/widget/drawing/local/drawing-cost.ts";

/** Whether frames of this cost, 30 a second, are too much within ten seconds. */
function isTooMuch(costMs: number, mayBeSlow: boolean): boolean {
  const cost = new DrawingCost(mayBeSlow);
  return Array.from({ length: 300 }, (_, frame) => cost.add(costMs, frame * 33)).includes(true);
}

describe("the cost of drawing in the browser", () => {
  it("is too much above 30 % of the main thread, or above 80 % where it must be drawn there", () => {
    expect(isTooMuch(5, false)).toBe(false);
    expect(isTooMuch(15, false)).toBe(true);
    expect(isTooMuch(15, true)).toBe(false);
    expect(isTooMuch(30, true)).toBe(true);
  });

  it("counts nothing over a pause, as of a hidden page", () => {
    const cost = new DrawingCost(false);
    const judged = Array.from({ length: 50 }, (_, i) => cost.add(3_000, i * 5_000));
    expect(judged).not.toContain(true);
  });
});
