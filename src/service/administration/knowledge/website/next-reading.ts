import type { WebsiteSchedule } from "../../../../protocol/console/websites.ts";

const days: Readonly<Record<Exclude<WebsiteSchedule, "never">, number>> = { day: 1, week: 7 };
/** The hour of the night, in the server's time zone, at which readings begin. */
const firstHour = 2;
/** Readings are spread over so many minutes, so that not all begin at once. */
const spreadMin = 180;

/** A number between 0 and `below` that is always the same for a text. */
function steady(text: string, below: number): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % below;
}

/** When a website is read again: in the next night, or the one in a week. Null: never. */
export function nextReadingMs(every: WebsiteSchedule, nowMs: number, id: string): number | null {
  if (every === "never") return null;
  const now = new Date(nowMs);
  const minute = steady(id, spreadMin);
  return new Date(
    now.getFullYear(),
    now.getMonth(),
    now.getDate() + days[every],
    firstHour,
    minute,
  ).getTime();
}
