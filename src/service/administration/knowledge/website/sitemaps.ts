import type { Sitemap } from "../reading/reading-jobs.ts";
import { maxSitemaps, sitemapMaxBytes } from "./sitemap-limits.ts";
import { WebsiteFault } from "./website-fault.ts";
import { callWebsite, isSameWebsite, type WebsiteCalls } from "./website-fetch.ts";

const types = /xml|^text\/plain$|gzip|^application\/octet-stream$|^$/;

async function readSitemap(calls: WebsiteCalls, address: string, origin: string): Promise<Sitemap | null> {
  const { bytes, charset } = await callWebsite(calls, address, {
    maxBytes: sitemapMaxBytes,
    accept: "application/xml, text/xml",
    origin,
    types,
  });
  return calls.read("sitemap", { bytes, charset });
}

/** The pages that sitemaps of an origin name, and the sitemaps that they name. Those that cannot be read are left out. */
export async function sitemapPages(
  calls: WebsiteCalls,
  addresses: readonly string[],
  origin: string,
): Promise<string[]> {
  const pages: string[] = [];
  const waiting = [...addresses];
  const seen = new Set<string>();
  for (let named = waiting.shift(); named !== undefined; named = waiting.shift()) {
    const url = URL.canParse(named) ? new URL(named) : null;
    if (url === null || !isSameWebsite(url, new URL(origin))) continue;
    const address = `${origin}${url.pathname}${url.search}`;
    if (seen.has(address)) continue;
    if (seen.size >= maxSitemaps) break;
    seen.add(address);
    try {
      const found = await readSitemap(calls, address, origin);
      pages.push(...(found?.pages ?? []));
      waiting.push(...(found?.sitemaps ?? []));
    } catch (error) {
      if (!(error instanceof WebsiteFault) || error.isFinal) throw error;
    }
  }
  return pages;
}
