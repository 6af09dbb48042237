// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { day, exactMomentWithin, moment, momentWithin, timeOfDay } from "../../src/console/format.ts";

const now = new Date(2026, 10, 16, 18, 30);
const onDay = (date: number): string => new Date(2026, 10, date, 14, 2).toISOString();
const time = timeOfDay(onDay(16));
const earlier = day(onDay(2), now);

describe("a moment", () => {
  it.each([
    [16, `Today, ${time}`, `today at ${time}`, `today at ${time}`],
    [15, `Yesterday, ${time}`, `yesterday at ${time}`, `yesterday at ${time}`],
    [2, earlier, earlier, `${earlier} at ${time}`],
  ])("of day %i is written as a label and within a sentence", (date, label, within, exact) => {
    expect(moment(onDay(date), now)).toBe(label);
    expect(momentWithin(onDay(date), now)).toBe(within);
    expect(exactMomentWithin(onDay(date), now)).toBe(exact);
  });
});
