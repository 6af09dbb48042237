import { wrong } from "../wrong-value.ts";

/** The loudness that a page has set, from 0 to 1. Throws a TypeError for what is no number. */
export function volumeOf(given: number): number {
  if (isNaN(given)) throw wrong("volume");
  return Math.min(Math.max(given, 0), 1);
}
