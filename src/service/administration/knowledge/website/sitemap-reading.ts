import { parseMarkup } from "../files/parse-markup.ts";
import type { EncodedText, Sitemap } from "../reading/reading-jobs.ts";
import { decodedText } from "./decoded-text.ts";

/** The most addresses that are taken from one sitemap. */
const maxAddresses = 5_000;

const localName = (name: string): string => name.replace(/^.*:/, "");

/** The root of a sitemap stands within so many characters. */
const rootWithin = 10_000;

/** Whether a text is a sitemap: XML with one of its two roots. */
export function isSitemap(text: string): boolean {
  const names: string[] = [];
  const start = text.slice(0, rootWithin);
  parseMarkup(start, { onopentagname: (name) => void names.push(localName(name)) }, { xmlMode: true });
  return names[0] === "urlset" || names[0] === "sitemapindex";
}

/** The addresses in a sitemap. */
export function parseSitemap(text: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let parent = "";
  /** The address that is being read; null: none. */
  let address: string | null = null;
  parseMarkup(
    text,
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
  return found;
}

/** Reads a sitemap. */
export function readSitemapFile(file: EncodedText): Sitemap | null {
  const text = decodedText(file);
  return isSitemap(text) ? parseSitemap(text) : null;
}
