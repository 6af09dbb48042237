import type { Website } from "../../protocol/console/websites.ts";

/** How far the reading of a website is. */
export interface WebsiteProgress {
  /** Pages that are done: read or left out. */
  readonly done: number;
  /** About how many there are. */
  readonly all: number;
  readonly percent: number;
  /** About how long it still takes, in s; null: too early to say. */
  readonly leftSec: number | null;
}

/** From this many pages on the rest can be estimated. */
const enough = 3;

/** How far a website is. */
export function websiteProgress({ report, started_at: startedAt }: Website, nowMs: number): WebsiteProgress {
  const done = report.pages.length;
  const rest = report.waiting + (report.reading === null ? 0 : 1);
  const all = done + rest;
  const percent = all === 0 ? 0 : Math.floor((100 * done) / all);
  const spentMs = startedAt === null ? 0 : nowMs - Date.parse(startedAt);
  const leftSec = done < enough || spentMs <= 0 ? null : (spentMs / done / 1_000) * rest;
  return { done, all, percent, leftSec };
}

/** Whether a website is being read, or waits for it. */
export const isUnderWay = ({ state }: Website): boolean => state === "waiting" || state === "reading";
