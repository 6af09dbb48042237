/** A line of a PDF's page: its text, where its baseline is, and how high its letters are, in the page's units. */
export interface PdfLine {
  text: string;
  y: number;
  height: number;
}

/** From this size on, compared with the usual one, a line is a heading. */
const headingSize = 1.2;
/** A longer line in large letters is not a heading. */
const headingMaxLength = 120;
/** A gap between baselines that is larger than this many letters begins a paragraph. */
const paragraphGap = 1.8;

/** The height that most letters have; 0 without letters. */
export function usualHeight(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>();
  for (const { text, height } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** Two lines as one text: a word that was divided at the end of the first one is put together. */
const joined = (before: string, after: string): string =>
  /\p{Ll}[-\u00ad]$/u.test(before) && /^\p{Ll}/u.test(after)
    ? before.slice(0, -1) + after
    : `${before} ${after}`;

/**
 * The lines of a page as Markdown: lines with larger letters are headings, the others become paragraphs where the page has gaps.
 * `usual` is the usual height of the document's letters.
 */
export function pdfParagraphs(lines: readonly PdfLine[], usual: number): string[] {
  const found: { text: string; isHeading: boolean }[] = [];
  let last: PdfLine | null = null;
  for (const line of lines) {
    const text = line.text.replace(/\s+/g, " ").trim();
    if (text === "") continue;
    const isHeading = usual > 0 && line.height >= usual * headingSize && text.length <= headingMaxLength;
    const gap = last === null ? Infinity : Math.abs(last.y - line.y);
    const isFar = gap > Math.max(line.height, last?.height ?? 0, 1) * paragraphGap;
    const open = found.at(-1);
    if (open === undefined || isFar || open.isHeading !== isHeading) found.push({ text, isHeading });
    else open.text = joined(open.text, text);
    last = line;
  }
  return found.map(({ text, isHeading }) => (isHeading ? `## ${text}` : text));
}
