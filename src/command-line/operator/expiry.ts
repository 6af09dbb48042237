import { CommandError } from "./command-error.ts";

const dayMs = 86_400_000;

/**
 * When something expires, in ms since the Unix epoch: after a number of days (`30` or `30d`), or at a date
 * (`2027-01-31`, `2027-01-31T12:00:00Z`; UTC where it names no zone). Throws a CommandError where it is neither, or over.
 */
export function expiryMs(text: string, nowMs: number): number {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1];
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text);
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const atMs =
    days !== undefined
      ? nowMs + Number(days) * dayMs
      : isDate
        ? Date.parse(text.includes("T") && !hasZone ? `${text}Z` : text)
        : NaN;
  if (Number.isNaN(atMs))
    throw new CommandError(`"${text}" is no expiry; set days such as 30, or a date such as 2027-01-31.`);
  if (atMs <= nowMs) throw new CommandError(`"${text}" is over already; set a time to come.`);
  return atMs;
}
