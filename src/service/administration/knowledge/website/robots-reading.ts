import robotsParser, { type Robot } from "robots-parser";
import type { EncodedText, RobotsReading } from "../reading/reading-jobs.ts";
import { decodedText } from "./decoded-text.ts";
import { maxSitemaps } from "./sitemap-limits.ts";
import { readerName } from "./website-fetch.ts";

/** The file that was asked last: a website's is asked for each of its pages. */
let last: { address: string; text: string; rules: Robot } | null = null;

/** Reads a robots.txt for this reader (RFC 9309). */
export function readRobotsFile({
  address,
  asked,
  ...encoded
}: EncodedText & { address: string; asked: string[] }): RobotsReading {
  const text = decodedText(encoded);
  const rules = last?.address === address && last.text === text ? last.rules : robotsParser(address, text);
  last = { address, text, rules };
  return {
    allows: asked.map((one) => rules.isAllowed(one, readerName) !== false),
    sitemaps: rules.getSitemaps().slice(0, maxSitemaps),
    delaySec: rules.getCrawlDelay(readerName) ?? 0,
  };
}
