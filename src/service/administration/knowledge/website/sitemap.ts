import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import { WebsiteFault } from "./website-fault.ts";
import { answerText, callWebsite, type WebsiteCalls } from "./website-fetch.ts";

/** What a sitemap names (sitemaps.org, protocol 0.9). */
export interface Sitemap {
  pages: string[];
  /** Further sitemaps. */
  sitemaps: string[];
}

const maxBytes = 10 * 1024 * 1024;
/** The most addresses that are taken from one sitemap. */
const maxAddresses = 5_000;
/** The most sitemaps of a website. */
const maxSitemaps = 20;

const localName = (name: string): string => name.replace(/^.*:/, "");

/** The root of a sitemap stands within so many characters. */
const rootWithin = 10_000;

/** Whether a text is a sitemap: XML with one of its two roots. */
export function isSitemap(text: string): boolean {
  const names: string[] = [];
  const parser = new Parser({ onopentagname: (name) => names.push(localName(name)) }, { xmlMode: true });
  parser.write(text.slice(0, rootWithin));
  parser.end();
  return names[0] === "urlset" || names[0] === "sitemapindex";
}

/** The addresses in a sitemap. */
export function parseSitemap(text: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let parent = "";
  /** The address that is being read; null: none. */
  let address: string | null = null;
  const parser = new Parser(
    {
      onopentag(name) {
        const local = localName(name);
        if (local === "url" || local === "sitemap") parent = local;
        // Pictures of a page have a "loc" in another namespace.
        if (local === "loc" && !/^(?:image|video):/.test(name)) address = "";
      },
      ontext(piece) {
        if (address !== null) address += piece;
      },
      onclosetag(name) {
        if (localName(name) !== "loc" || address === null) return;
        const list = parent === "sitemap" ? found.sitemaps : found.pages;
        if (list.length < maxAddresses && address.trim() !== "") list.push(address.trim());
        address = null;
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  parser.end();
  return found;
}

async function readSitemap(calls: WebsiteCalls, address: string, origin: string): Promise<Sitemap> {
  const types = /xml|^text\/plain$|gzip|^application\/octet-stream$|^$/;
  const answer = await callWebsite(calls, address, {
    maxBytes,
    accept: "application/xml, text/xml",
    origin,
    types,
  });
  const isPacked = answer.bytes[0] === 0x1f && answer.bytes[1] === 0x8b;
  const bytes = isPacked ? gunzipSync(answer.bytes, { maxOutputLength: maxBytes }) : answer.bytes;
  const text = answerText({ bytes, charset: answer.charset });
  return isSitemap(text) ? parseSitemap(text) : { pages: [], sitemaps: [] };
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
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (seen.has(address) || !URL.canParse(address) || new URL(address).origin !== origin) continue;
    if (seen.size >= maxSitemaps) break;
    seen.add(address);
    try {
      const found = await readSitemap(calls, address, origin);
      pages.push(...found.pages);
      waiting.push(...found.sitemaps);
    } catch (error) {
      const isDamaged = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
      if (!(error instanceof WebsiteFault) && !isDamaged && !(error instanceof RangeError)) throw error;
    }
  }
  return pages;
}
