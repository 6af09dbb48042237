import { texts } from "./texts/texts.ts";

const locale = (): string => navigator.language;

const dayMs = 86_400_000;

/** A number, as 2,340. */
export const figure = (value: number): string => value.toLocaleString(locale());

/** An amount of money, as €1.90. `currency`: ISO 4217. */
export const money = (value: number, currency: string): string =>
  value.toLocaleString(locale(), { style: "currency", currency });

/** A share of 1, as 94 %. */
export const share = (value: number): string =>
  value.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 0 });

/** Seconds to the hundredth, as 0.64. */
export const secondsExact = (value: number): string =>
  value.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size, as 63 MB or 1.2 GB. */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  return (bytes / 1000 ** power).toLocaleString(locale(), {
    style: "unit",
    unit: byteUnits[power] ?? "byte",
    maximumFractionDigits: power > 2 ? 1 : 0,
  });
}

/** Noon of a calendar day (`2026-11-17`), so that no time zone makes it another day. */
const noon = (date: string): Date => new Date(`${date}T12:00:00`);

/** A calendar day, as 17 November or 17 Nov. */
export const dayAndMonth = (date: string, month: "long" | "short" = "long"): string =>
  noon(date).toLocaleDateString(locale(), { day: "numeric", month });

/** A month (`2026-11`), as November. */
export const monthName = (month: string): string =>
  noon(`${month}-01`).toLocaleDateString(locale(), { month: "long" });

/** A calendar day, as Tuesday, 17 November. */
export const longDay = (date: string): string =>
  noon(date).toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long" });

/** The weekday of a calendar day, as Tuesday. */
export const weekday = (date: string): string => noon(date).toLocaleDateString(locale(), { weekday: "long" });

/** The time of day, as 14:02. */
export const timeOfDay = (time: string | Date): string =>
  new Date(time).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });

/** Date and time to the second, for tooltips. */
export const exactTime = (time: string): string =>
  new Date(time).toLocaleString(locale(), { dateStyle: "full", timeStyle: "medium" });

/** The days between today and a time, by the calendar; 0: today. */
export function daysAgo(time: string | Date, now = new Date()): number {
  const midnight = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(now) - midnight(new Date(time))) / dayMs);
}

/** A day, as Today, Yesterday, 14 November. */
export function day(time: string | Date, now = new Date()): string {
  const ago = daysAgo(time, now);
  if (ago === 0) return texts.time.today;
  if (ago === 1) return texts.time.yesterday;
  const date = new Date(time);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(locale(), {
    day: "numeric",
    month: "long",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** A moment, as Today, 14:02; before yesterday only the day. */
export function moment(time: string, now = new Date()): string {
  const ago = daysAgo(time, now);
  if (ago === 0) return texts.time.todayAt(timeOfDay(time));
  if (ago === 1) return texts.time.yesterdayAt(timeOfDay(time));
  return day(time, now);
}

/** A moment in the middle of a sentence, as today at 14:02; before yesterday only the day. */
export function momentWithin(time: string, now = new Date()): string {
  const ago = daysAgo(time, now);
  if (ago === 0) return texts.time.withinToday(timeOfDay(time));
  if (ago === 1) return texts.time.withinYesterday(timeOfDay(time));
  return day(time, now);
}

/** The same with the time of any day, as 14 November at 14:02. */
export const exactMomentWithin = (time: string, now = new Date()): string =>
  daysAgo(time, now) > 1 ? texts.time.dayAt(day(time, now), timeOfDay(time)) : momentWithin(time, now);

/** A length of time, as 4 min 12 s. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? texts.time.seconds(whole) : texts.time.minutes(Math.floor(whole / 60), whole % 60);
}

/** A place in a conversation, as 4:12. */
export function position(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
