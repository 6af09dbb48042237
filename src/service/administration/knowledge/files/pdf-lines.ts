/** A piece of text on a page, as PDF.js finds it. */
export interface PdfPiece {
  str: string;
  width: number;
  height: number;
  hasEOL: boolean;
  transform: readonly number[];
}

/** A line of a PDF's page, or a part of one that stands apart from the others: its text, and where it is, in the page's units. */
export interface PdfLine {
  text: string;
  /** Where it begins and ends. */
  x: number;
  end: number;
  /** Where its baseline is. */
  y: number;
  /** How high its letters are. */
  height: number;
}

/** Parts of a line with a gap of more letters' heights between them stand apart. */
const apart = 1.2;
/** So far apart, as a share of a letter's height, baselines are of one line. */
const sameLine = 0.35;

/** The lines of a page in the order in which the PDF has them, each with its parts from left to right. */
export function pdfLines(pieces: readonly PdfPiece[]): PdfLine[][] {
  const lines: PdfLine[][] = [];
  let isEnded = true;
  for (const { str, width, height, hasEOL, transform } of pieces) {
    const [x = 0, y = 0] = transform.slice(4);
    const part = lines.at(-1)?.at(-1);
    if (str.trim() === "") {
      if (part && !isEnded && str !== "") part.text += str;
      isEnded ||= hasEOL && part !== undefined && !isBeside(part, { x, y, height });
      continue;
    }
    const next = { text: str, x, end: x + width, y, height };
    if (!part || !isBeside(part, next)) lines.push([next]);
    else if (x - part.end > Math.max(height, part.height) * apart) lines.at(-1)?.push(next);
    else {
      part.text += str;
      part.end = next.end;
      part.height = Math.max(part.height, height);
    }
    isEnded = false;
  }
  return lines;
}

/** Whether something continues a line to the right. */
function isBeside(line: PdfLine, { x, y, height }: Pick<PdfLine, "x" | "y" | "height">): boolean {
  const size = Math.max(line.height, height, 1);
  return Math.abs(line.y - y) <= size * sameLine && x >= line.end - size;
}

/** Parts of two columns of text are at least so long, in characters; those of tables are shorter. */
const columnCharacters = 25;
/** So many lines have two parts where a page has two columns. */
const columnLines = 3;
/** Columns begin at the same place, within so many units. */
const tolerance = 4;

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= tolerance;
const average = (lengths: readonly number[]): number =>
  lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

/** Where the second of two columns of text begins, if a page writes both of them line by line; null: it does not. */
function secondColumn(lines: readonly (readonly PdfLine[])[]): number | null {
  const pairs = lines.filter(({ length }) => length === 2);
  for (const [, second] of pairs) {
    if (!second) continue;
    const same = pairs.filter(([, other]) => other && isSame(other.x, second.x));
    const lengths = same.flatMap((pair) => pair.map(({ text }) => text.trim().length));
    if (same.length >= columnLines && average(lengths) >= columnCharacters) return second.x;
    if (same.length === pairs.length) return null;
  }
  return null;
}

/** The lines of a page in the order in which they are read: of two columns that are written line by line, the first one comes first. */
export function inReadingOrder(lines: readonly PdfLine[][]): PdfLine[][] {
  const second = secondColumn(lines);
  if (second === null) return [...lines];
  const isRight = (line: readonly PdfLine[]): boolean => (line[0]?.x ?? 0) >= second - tolerance;
  const isPair = (line: readonly PdfLine[]): boolean => line.length === 2 && isRight(line.slice(1));
  const from = lines.findIndex(isPair);
  const to = lines.findLastIndex((line) => isPair(line) || isRight(line)) + 1;
  const both = lines.slice(from, to);
  const left = both.filter((line) => isPair(line) || !isRight(line)).map((line) => line.slice(0, 1));
  const right = both.filter((line) => isPair(line) || isRight(line)).map((line) => line.slice(-1));
  return [...lines.slice(0, from), ...left, ...right, ...lines.slice(to)];
}
