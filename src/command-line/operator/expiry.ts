import * as z from "zod";
import { CommandError } from "./command-error.ts";

const dayMs = 86_400_000;

const dateSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** NaN where the text is no date. One without a time is its beginning in UTC; one without a zone is in UTC too. */
function dateMs(text: string): number {
  if (!dateSchema.safeParse(text).success) return NaN;
  const isLocal = text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  return Date.parse(isLocal ? `${text}Z` : text);
}

/**
 * When something expires, in ms since the Unix epoch: after a number of days (`30` or `30d`), or at a date
 * (`2027-01-31`, `2027-01-31T12:00:00Z`; UTC where it names no zone). Throws a CommandError where it is neither, or over.
 */
export function expiryMs(text: string, nowMs: number): number {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1];
  const atMs = days === undefined ? dateMs(text) : nowMs + Number(days) * dayMs;
  if (Number.isNaN(atMs))
    throw new CommandError(`"${text}" is no expiry; set days such as 30, or a date such as 2027-01-31.`);
  if (atMs <= nowMs) throw new CommandError(`"${text}" is over already; set a time to come.`);
  return atMs;
}
