import { WebsiteFault } from "./website-fault.ts";
import { callWebsite, type WebsiteCalls } from "./website-fetch.ts";

/** The rules of a website's robots.txt for this reader (RFC 9309). */
export interface Robots {
  /** Rejects with WebsiteFault when the rules are made to take too long. */
  allows(url: URL): Promise<boolean>;
  sitemaps: string[];
  /** How long to wait between two requests, in ms. */
  delayMs: number;
}

/** Larger files may be cut (RFC 9309, 2.5). */
const maxBytes = 512 * 1024;
/** So that the most pages still fit into the time for one website. */
const longestDelayMs = 5_000;

const everything: Robots = { allows: () => Promise.resolve(true), sitemaps: [], delayMs: 0 };

/** Reads a website's robots.txt. A missing one allows everything; one that cannot be read is WebsiteFault `robots_unreadable`. */
export async function readRobots(calls: WebsiteCalls, origin: string): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  try {
    const options = { maxBytes, accept: "text/plain, */*;q=0.1", origin: null, types: /^(?:text\/plain|)$/ };
    const { bytes, charset } = await callWebsite(calls, address, options);
    const ask = (asked: string[]) => calls.read("robots", { address, bytes, charset, asked });
    const { sitemaps, delaySec } = await ask([]);
    return {
      allows: async ({ href }) => (await ask([href])).allows[0] === true,
      sitemaps,
      delayMs: Number.isFinite(delaySec) ? Math.min(longestDelayMs, Math.max(0, delaySec * 1_000)) : 0,
    };
  } catch (error) {
    if (!(error instanceof WebsiteFault)) throw error;
    // A page instead of a file of rules means that there is none.
    if (["not_found", "refused", "not_a_page"].includes(error.reason)) return everything;
    // Whatever is asked of such a website fails in the same way.
    if (error.reason !== "server_error" && error.reason !== "too_large") throw error;
    throw new WebsiteFault("robots_unreadable", { cause: error });
  }
}
