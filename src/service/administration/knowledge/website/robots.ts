import robotsParser from "robots-parser";
import { WebsiteFault } from "./website-fault.ts";
import { answerText, callWebsite, readerName, type WebsiteCalls } from "./website-fetch.ts";

/** The rules of a website's robots.txt for this reader (RFC 9309). */
export interface Robots {
  allows(url: URL): boolean;
  sitemaps: string[];
  /** How long to wait between two requests, in ms. */
  delayMs: number;
}

/** Larger files may be cut (RFC 9309, 2.5). */
const maxBytes = 512 * 1024;
/** So that the most pages still fit into the time for one website. */
const longestDelayMs = 5_000;

const everything: Robots = { allows: () => true, sitemaps: [], delayMs: 0 };

function parsed(address: string, text: string): Robots {
  const robots = robotsParser(address, text);
  const delaySec = robots.getCrawlDelay(readerName) ?? 0;
  return {
    allows: (url) => robots.isAllowed(url.href, readerName) !== false,
    sitemaps: robots.getSitemaps(),
    delayMs: Number.isFinite(delaySec) ? Math.min(longestDelayMs, Math.max(0, delaySec * 1_000)) : 0,
  };
}

/** Reads a website's robots.txt. A missing one allows everything; one that cannot be read is WebsiteFault `robots_unreadable`. */
export async function readRobots(calls: WebsiteCalls, origin: string): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  try {
    const options = { maxBytes, accept: "text/plain, */*;q=0.1", origin: null, types: /^(?:text\/plain|)$/ };
    return parsed(address, answerText(await callWebsite(calls, address, options)));
  } catch (error) {
    if (!(error instanceof WebsiteFault)) throw error;
    // A page instead of a file of rules means that there is none.
    if (["not_found", "refused", "not_a_page"].includes(error.reason)) return everything;
    throw new WebsiteFault("robots_unreadable", { cause: error });
  }
}
