import { documentMaxCharacters } from "../../../sessions/documents.ts";

/** A page that was read. */
export interface ReadPage {
  path: string;
  title: string;
  /** Markdown. */
  text: string;
}

/** From this many pages on, what most of them repeat is taken for their frame. */
const leastPages = 4;

/** The paragraphs that more than half of the pages have: menus, notices, addresses at the foot. */
function frameOf(pages: readonly ReadPage[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { text } of pages)
    for (const paragraph of new Set(text.split("\n\n")))
      counts.set(paragraph, (counts.get(paragraph) ?? 0) + 1);
  if (pages.length < leastPages) return new Set();
  // A line across the text ends the answer above it, in each page.
  counts.delete("---");
  return new Set([...counts].filter(([, count]) => count > pages.length / 2).map(([paragraph]) => paragraph));
}

/** Longer titles are cut. */
const titleMaxLength = 200;

/** The title without the name of the website that most titles end with. */
function ownTitle(title: string, common: string): string {
  return common !== "" && title.endsWith(common) && title.length > common.length
    ? title.slice(0, -common.length).trim()
    : title;
}

/** The end that titles share, as " – Alder Home"; empty where they share none. */
function commonEnd(titles: readonly string[]): string {
  const ends = titles.map((title) => / [|–—·»:-] [^|–—·»]+$/u.exec(title)?.[0] ?? "");
  const first = ends.find((end) => end !== "") ?? "";
  return titles.length > 1 && ends.filter((end) => end === first).length > titles.length / 2 ? first : "";
}

/** What was made of a website's pages. */
export interface WebsiteText {
  text: string;
  /** The text of each page in it; null: there was no room. */
  parts: (string | null)[];
}

/** One text of all pages, each below its title. What most pages repeat stands there once, with the page that has it first. */
export function websiteText(pages: readonly ReadPage[]): WebsiteText {
  const frame = frameOf(pages);
  const cut = (title: string): string => title.slice(0, titleMaxLength);
  const common = commonEnd(pages.map(({ title }) => cut(title)));
  const shown = new Set<string>();
  const parts: (string | null)[] = [];
  let length = 0;
  for (const { title, text, path } of pages) {
    const paragraphs = text.split("\n\n").filter((paragraph) => {
      if (!frame.has(paragraph)) return true;
      if (shown.has(paragraph)) return false;
      shown.add(paragraph);
      return true;
    });
    const heading = `# ${ownTitle(cut(title), common) || path}`;
    const part = [...(paragraphs[0] === heading ? [] : [heading]), ...paragraphs].join("\n\n");
    const fits = length + part.length + 2 <= documentMaxCharacters;
    if (fits) length += part.length + 2;
    parts.push(fits ? part : null);
  }
  return { text: parts.filter((part) => part !== null).join("\n\n"), parts };
}
