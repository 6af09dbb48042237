import type { DayFigures } from "../../protocol/console/overview.ts";

/** Where the bars of a day are, in the picture's units. The lower bar stands for conversations with a question without an answer. */
interface DayBars {
  readonly day: DayFigures;
  readonly x: number;
  readonly upper: { readonly y: number; readonly height: number };
  readonly lower: { readonly y: number; readonly height: number };
}

/** The chart of conversations a day as positions. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly barWidth: number;
  /** Where the lines of the scale begin. */
  readonly left: number;
  readonly bars: readonly DayBars[];
  /** The lines of the scale. */
  readonly lines: readonly { readonly value: number; readonly y: number }[];
  /** Indexes of the days that are named below: one a week. Today is named by itself. */
  readonly named: readonly number[];
}

const height = 252;
const left = 34;
const top = 16;
const bottom = 216;
/** Between the bars of a day. */
const gap = 1.5;
const barShare = 0.66;
const daysOfWeek = 7;
/** A name of this many days before today would touch the word for today. */
const namedUntil = 4;

/** The distance between the lines of a scale: 1, 2 or 5 times a power of ten, so that there are two to five lines. */
export function scaleStep(highest: number): number {
  let step = 1;
  for (let power = 1; power * 2 <= highest; power *= 10)
    for (const factor of [1, 2, 5]) if (factor * power * 2 <= highest) step = factor * power;
  return step;
}

/** The positions of the chart for these days, the last of which is today. */
export function chartLayout(days: readonly DayFigures[], width: number): ChartLayout {
  const highest = Math.max(1, ...days.map(({ conversations }) => conversations));
  const scale = (bottom - top) / highest;
  const step = scaleStep(highest);
  const pitch = (width - left) / Math.max(1, days.length);
  const barWidth = pitch * barShare;
  return {
    width,
    height,
    barWidth,
    left,
    bars: days.map((day, index) => {
      const lower = Math.min(day.with_unanswered, day.conversations) * scale;
      const whole = day.conversations * scale;
      const space = lower > 0 && whole > lower ? gap : 0;
      return {
        day,
        x: left + index * pitch + (pitch - barWidth),
        upper: { y: bottom - whole, height: Math.max(0, whole - lower - space) },
        lower: { y: bottom - lower, height: lower },
      };
    }),
    lines: Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => ({
      value: index * step,
      y: bottom - index * step * scale,
    })),
    named: days
      .map((_, index) => index)
      .filter((index) => index % daysOfWeek === 0 && index < days.length - namedUntil),
  };
}
