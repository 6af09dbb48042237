const dayMs = 24 * 60 * 60 * 1000;

/** A day in the server's time zone. */
export interface ServerDay {
  /** `2026-11-17`. */
  date: string;
  startMs: number;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** The day that a time is in. */
function dayOf(time: Date): ServerDay {
  const start = new Date(time.getFullYear(), time.getMonth(), time.getDate());
  const date = `${start.getFullYear()}-${twoDigits(start.getMonth() + 1)}-${twoDigits(start.getDate())}`;
  return { date, startMs: start.getTime() };
}

/** The last days with today as the last one. Days are counted by date, because some have 23 or 25 hours. */
export function lastDays(nowMs: number, count: number): ServerDay[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index))),
  );
}

/** When the next day begins, and the next month in UTC, in which minutes are counted. */
export function nextStarts(nowMs: number): { dayMs: number; monthMs: number } {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
  return { dayMs: day, monthMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) };
}

/** The same time of the day, a week earlier. */
export function weekBefore(nowMs: number): { startMs: number; endMs: number } {
  const now = new Date(nowMs);
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 7).getTime();
  return { startMs: start, endMs: nowMs - 7 * dayMs };
}
