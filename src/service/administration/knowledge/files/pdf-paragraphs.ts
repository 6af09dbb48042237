import { isHours } from "../../../knowledge/reading/lines.ts";
import { pdfTable } from "./pdf-tables.ts";
import type { PdfLine } from "./pdf-lines.ts";

/** From this size on, compared with the usual one, a line is a heading. */
const headingSize = 1.2;
/** A longer line in large letters is not a heading. */
const headingMaxLength = 120;
/** A gap between baselines that is larger than this many letters begins a paragraph. */
const paragraphGap = 1.8;
/** A text is at least so wide, in heights of its letters: shorter lines of a page end where they end. */
const leastWidth = 14;
/** Lines of a column begin within so many units: some are indented. */
const indent = 20;
/** Longer tables are several. */
const tableMaxLines = 200;
/** What most pages have stands within so many lines of their edges. */
const edge = 2;

const bullet = /^(?:[•▪◦‣·*]|[-–—](?=\s)|\d{1,2}[.)](?=\s))\s*/;
const endsSentence = /[.!?:;…。！？]["'”’»)\]]*$/;
const pageNumber =
  /^[-–—\s]*(?:(?:page|seite|página|pagina|p\.|s\.) ?)?\d{1,4}(?: ?(?:\/|of|von|de|di|sur) ?\d{1,4})?[-–—\s]*$/i;
const withoutSpaces = /[\u3040-\u30ff\u4e00-\u9fff]$/;
const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

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
function joined(before: string, after: string): string {
  if (/\p{Ll}[-\u00ad]$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  return withoutSpaces.test(before) ? before + after : `${before} ${after}`;
}

/** A piece of the text. Tables are Markdown already. */
interface Block {
  kind: "heading" | "text" | "table";
  text: string;
}

const isNear = (one: PdfLine, other: PdfLine): boolean =>
  Math.abs(one.y - other.y) <= Math.max(one.height, other.height, 1) * paragraphGap;

/** How wide the lines are that stand with each line in a column. */
function widthsOf(lines: readonly (readonly PdfLine[])[]): number[] {
  const widths: number[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from;
    let width = 0;
    let last: PdfLine | undefined;
    for (; to < lines.length; to++) {
      const [one, ...others] = lines[to] ?? [];
      if (!one) continue;
      if (last && (Math.abs(last.x - one.x) > indent || !isNear(last, one))) break;
      width = Math.max(width, (others.at(-1)?.end ?? one.end) - one.x);
      last = one;
    }
    for (; from < to; from++) widths.push(width);
  }
  return widths;
}

const asRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`;

/** The pages of a PDF as Markdown. */
class PdfText {
  readonly #usual: number;
  readonly #blocks: Block[] = [];
  #last: PdfLine | null = null;
  /** How wide the column is that is being read. */
  #width = 0;

  constructor(usual: number) {
    this.#usual = usual;
  }

  get paragraphs(): string[] {
    return this.#blocks.map(({ kind, text }) => (kind === "heading" ? `## ${text}` : text));
  }

  addPage(lines: readonly PdfLine[][]): void {
    // Below everything, so that its text may go on anywhere.
    if (this.#last) this.#last = { ...this.#last, y: -Infinity };
    const widths = widthsOf(lines);
    for (let at = 0; at < lines.length;) {
      const table = pdfTable(lines.slice(at, at + tableMaxLines));
      if (table) {
        this.#blocks.push({ kind: "table", text: table.rows.map(asRow).join("\n") });
        this.#last = null;
      } else {
        this.#width = widths[at] ?? 0;
        const line = wholeLine(lines[at] ?? []);
        if (line) this.#addLine(line);
      }
      at += table?.lines ?? 1;
    }
  }

  #addLine(line: PdfLine): void {
    const { text } = line;
    const isLarge = this.#usual > 0 && line.height >= this.#usual * headingSize;
    const kind = isLarge && text.length <= headingMaxLength ? "heading" : "text";
    const open = this.#blocks.at(-1);
    if (open?.kind !== kind || this.#last === null || this.#begins(this.#last, line, kind))
      this.#blocks.push({ kind, text: item(text) });
    else if (kind === "text" && this.#isBroken(this.#last, line)) open.text += `\n${item(text)}`;
    else open.text = joined(open.text, text);
    this.#last = line;
  }

  /** Whether a line begins a paragraph. At the end of a column or a page a sentence may go on. */
  #begins(last: PdfLine, line: PdfLine, kind: Block["kind"]): boolean {
    const size = Math.max(line.height, last.height, 1);
    const isBelow = line.y < last.y && last.y - line.y <= size * paragraphGap;
    if (isBelow) return false;
    const isElsewhere = line.y > last.y + size;
    const goesOn = !endsSentence.test(last.text) && !bullet.test(line.text) && !this.#isShort(last, line);
    return !(kind === "text" && isElsewhere && (goesOn || /^\p{Ll}/u.test(line.text)));
  }

  /** Whether the first word of a line had room at the end of the one before. */
  #isShort(last: PdfLine, line: PdfLine): boolean {
    const word = /^\S+/.exec(line.text)?.[0].length ?? 0;
    const perCharacter = (line.end - line.x) / Math.max(1, line.text.length);
    const width = Math.max(this.#width, last.height * leastWidth);
    return last.end - last.x + (word + 1) * perCharacter < width * 0.95;
  }

  #isBroken(last: PdfLine, line: PdfLine): boolean {
    if (/\p{Ll}[-\u00ad]$/u.test(last.text)) return false;
    return bullet.test(line.text) || isHours(last.text) || isHours(line.text) || this.#isShort(last, line);
  }
}

/** An item of a list, with the mark that Markdown has. */
const item = (text: string): string => text.replace(/^[•▪◦‣·*–—]\s*(?=\S)/, "- ");

/** The parts of a line as one. */
function wholeLine(parts: readonly PdfLine[]): PdfLine | null {
  const [first] = parts;
  if (!first) return null;
  const height = Math.max(...parts.map((part) => part.height));
  return { ...first, text: textOf(parts), end: parts.at(-1)?.end ?? first.end, height };
}

const textOf = (parts: readonly PdfLine[]): string => spaced(parts.map(({ text }) => text).join(" "));

/** The pages without their numbers, and without what stands at the edge of most of them. */
function withoutFrames(pages: readonly (readonly PdfLine[][])[]): PdfLine[][][] {
  const shape = (line: readonly PdfLine[]): string => textOf(line).replace(/\d+/g, "#");
  const isEdge = (at: number, { length }: { length: number }): boolean =>
    length > edge * 2 && (at < edge || at >= length - edge);
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const one of new Set(lines.filter((_, at) => isEdge(at, lines)).map(shape)))
      counts.set(one, (counts.get(one) ?? 0) + 1);
  const isFrame = (line: readonly PdfLine[]): boolean =>
    pageNumber.test(textOf(line)) || (pages.length > 2 && (counts.get(shape(line)) ?? 0) > pages.length / 2);
  return pages.map((lines) => {
    const isLast = (at: number): boolean => lines.length > 1 && (at === 0 || at === lines.length - 1);
    return lines.filter((line, at) =>
      isEdge(at, lines) ? !isFrame(line) : !(isLast(at) && pageNumber.test(textOf(line))),
    );
  });
}

/**
 * The lines of pages as Markdown: lines with larger letters are headings, the others become paragraphs where the page has gaps, and
 * tables where their parts stand below each other. `usual` is the usual height of the document's letters.
 */
export function pdfParagraphs(pages: readonly (readonly PdfLine[][])[], usual: number): string[] {
  const text = new PdfText(usual);
  for (const lines of withoutFrames(pages)) text.addPage(lines);
  return text.paragraphs;
}
