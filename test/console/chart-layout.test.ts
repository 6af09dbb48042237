import fc from "fast-check";
import { expect, test } from "vitest";
import { chartLayout, scaleStep } from "../../src/console/overview/figures.ts";
import type { DayFigures } from "../../src/protocol/console/overview.ts";

const day = (conversations: number, withUnanswered = 0): DayFigures => ({
  date: "2026-11-17",
  conversations,
  with_unanswered: withUnanswered,
  questions: conversations,
  unanswered: withUnanswered,
  talking_sec: 60 * conversations,
});

test.each([
  [0, 1],
  [1, 1],
  [3, 1],
  [9, 2],
  [41, 20],
  [99, 20],
  [100, 50],
  [2_345, 1_000],
])("the scale of %i conversations has steps of %i", (highest, step) => {
  expect(scaleStep(highest)).toBe(step);
});

test("bars stand on the ground, the lower one for days with something missing", () => {
  const { bars, lines, named } = chartLayout(
    [...Array.from({ length: 29 }, () => day(20)), day(40, 10)],
    520,
  );
  const ground = lines[0]!.y;
  const today = bars.at(-1)!;
  expect(today.lower.y + today.lower.height).toBeCloseTo(ground);
  expect(today.upper.y).toBeLessThan(today.lower.y);
  expect(today.upper.height / today.lower.height).toBeCloseTo(3, 0);
  expect(lines.map(({ value }) => value)).toEqual([0, 20, 40]);
  expect(named).toEqual([0, 7, 14, 21]);
});

test("whatever the figures are, every bar is inside the picture and none has a negative height", () => {
  const figures = fc.array(fc.record({ all: fc.nat(1_000_000), missing: fc.nat(1_000_000) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(figures, (days) => {
      const layout = chartLayout(
        days.map(({ all, missing }) => day(all, missing)),
        310,
      );
      for (const { x, upper, lower } of layout.bars) {
        expect(x).toBeGreaterThanOrEqual(layout.left);
        expect(x + layout.barWidth).toBeLessThanOrEqual(layout.width + 0.001);
        for (const { y, height } of [upper, lower]) {
          expect(height).toBeGreaterThanOrEqual(0);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y + height).toBeLessThanOrEqual(layout.height);
        }
      }
    }),
  );
});
