import { documentPassages } from "../../../knowledge/reading/document-passages.ts";
import { documentMaxCharacters } from "../../../sessions/documents.ts";
import { htmlText } from "../files/html-text.ts";
import type { EncodedText, PageReading } from "../reading/reading-jobs.ts";
import { decodedText } from "./decoded-text.ts";
import { pageLinks } from "./page-links.ts";
import { isSitemap, parseSitemap } from "./sitemap-reading.ts";

const nothing: PageReading = {
  title: "",
  text: "",
  passages: 0,
  links: [],
  base: null,
  isNoindex: false,
  sitemap: null,
};

/** Reads a page of a website. */
export async function readPage({
  isPlain,
  ...encoded
}: EncodedText & { isPlain: boolean }): Promise<PageReading> {
  const whole = decodedText(encoded);
  if (isSitemap(whole)) return { ...nothing, sitemap: parseSitemap(whole) };
  const read = isPlain
    ? { ...nothing, text: whole.trim() }
    : { ...nothing, ...pageLinks(whole), ...htmlText(whole) };
  const text = read.text.slice(0, documentMaxCharacters);
  return { ...read, text, passages: (await documentPassages(text)).length };
}
