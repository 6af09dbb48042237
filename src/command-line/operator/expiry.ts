import * as z from "zod";
import { CommandError } from "./command-error.ts";

const dayMs = 86_400_000;

const dateSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** NaN if the text is not a date. A date without a time means the start of the day in UTC; a time without a zone is UTC too. */
function dateMs(text: string): number {
  if (!dateSchema.safeParse(text).success) return NaN;
  const isLocal = text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  return Date.parse(isLocal ? `${text}Z` : text);
}

/**
 * When something expires, in ms since the Unix epoch: after a number of days (`30` or `30d`), or at a date (`2027-01-31`,
 * `2027-01-31T12:00:00Z`; UTC if it has no zone). Throws a CommandError for any other text, and for a time in the past.
 */
export function expiryMs(text: string, nowMs: number): number {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1];
  const atMs = days === undefined ? dateMs(text) : nowMs + Number(days) * dayMs;
  if (Number.isNaN(atMs))
    throw new CommandError(
      `"${text}" is not an expiry; set a number of days such as 30, or a date such as 2027-01-31.`,
    );
  if (atMs <= nowMs) throw new CommandError(`"${text}" is in the past; set a future time.`);
  return atMs;
}
