import { parseMarkup } from "../files/parse-markup.ts";

/** What a page says to readers like this one. */
export interface PageLinks {
  /** Addresses of its links, as they stand there. */
  links: string[];
  /** What relative addresses are relative to; null: the page's own address. */
  base: string | null;
  /** Whether it asks not to be indexed. */
  isNoindex: boolean;
}

const maxLinks = 2_000;

/** Reads the links of a page. Those that it asks not to follow are left out. */
export function pageLinks(html: string): PageLinks {
  const found: PageLinks = { links: [], base: null, isNoindex: false };
  const follow = { isForbidden: false };
  parseMarkup(html, {
    onopentag(name, { href, rel = "", name: metaName = "", content = "" }) {
      if (name === "base" && href !== undefined) found.base ??= href;
      if (name === "meta" && /^robots$/i.test(metaName.trim())) {
        found.isNoindex ||= /\b(?:noindex|none)\b/i.test(content);
        follow.isForbidden ||= /\b(?:nofollow|none)\b/i.test(content);
      }
      const isLink = name === "a" || name === "area";
      if (!isLink || href === undefined || /\bnofollow\b/i.test(rel)) return;
      if (found.links.length < maxLinks) found.links.push(href);
    },
  });
  return follow.isForbidden ? { ...found, links: [] } : found;
}
