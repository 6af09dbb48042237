import type { PdfLine } from "./pdf-lines.ts";

/** A table of a page: the text of its cells, and how many lines it has. */
export interface PdfTable {
  rows: string[][];
  lines: number;
}

/** Lines of a table are at most so many heights of letters apart. */
const rowGap = 3.5;
/** A line so close below the last row goes on in it. */
const sameRowGap = 1.4;
/** So many lines may stand between two rows, in cells with several lines. */
const mostBetween = 4;
const tolerance = 4;

/** A row with its cells, by their columns, and where it is. */
interface Row {
  cells: PdfLine[][];
  y: number;
}

/** The column of a part: the one below or above which it stands; -1: none. */
function columnOf({ x, end }: PdfLine, head: readonly PdfLine[]): number {
  const below = head.findIndex((column) => column.x <= end && x <= column.end);
  return below === -1 ? head.findLastIndex((column) => column.x <= x + tolerance) : below;
}

function rowOf(line: readonly PdfLine[], head: readonly PdfLine[]): Row | null {
  const cells: PdfLine[][] = head.map(() => []);
  for (const part of line) {
    const cell = cells[columnOf(part, head)];
    if (!cell || cell.length > 0) return null;
    cell.push(part);
  }
  return { cells, y: line[0]?.y ?? 0 };
}

const closest = (rows: readonly Row[], y: number): Row | undefined =>
  rows.toSorted((one, other) => Math.abs(one.y - y) - Math.abs(other.y - y))[0];

/** What a table is made of: its rows, and the lines that stand between them. */
interface Parts {
  rows: Row[];
  between: PdfLine[];
  lines: number;
}

function partsOf(lines: readonly (readonly PdfLine[])[], head: readonly PdfLine[]): Parts {
  const found: Parts = { rows: [], between: [], lines: 0 };
  let waiting: PdfLine[] = [];
  let lowest = Infinity;
  for (const [at, line] of lines.entries()) {
    const [first] = line;
    const gap = first && lowest !== Infinity ? lowest - first.y : 0;
    // A cell in the middle of its row stands a bit higher than the last line of its neighbour.
    if (!first || gap < -first.height || gap > first.height * rowGap || waiting.length > mostBetween) break;
    lowest = Math.min(lowest, first.y);
    if (line.length === 1) {
      const column = columnOf(first, head);
      if (column === -1 || (head[column + 1]?.x ?? Infinity) < first.end) break;
      waiting.push(first);
      continue;
    }
    const row = rowOf(line, head);
    if (!row) break;
    found.rows.push(row);
    found.between.push(...waiting);
    waiting = [];
    found.lines = at + 1;
  }
  let last = found.rows.at(-1)?.y ?? 0;
  for (const part of waiting) {
    if (last - part.y > part.height * sameRowGap) break;
    last = part.y;
    found.between.push(part);
    found.lines += 1;
  }
  return found;
}

const textOf = (cell: readonly PdfLine[]): string =>
  cell
    .toSorted((one, other) => other.y - one.y)
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();

/** The table that begins with the first of these lines: its parts have others below them. Null: there is none. */
export function pdfTable(lines: readonly (readonly PdfLine[])[]): PdfTable | null {
  const [head] = lines;
  if (!head || head.length < 2) return null;
  const { rows, between, lines: count } = partsOf(lines, head);
  if (rows.length < 2) return null;
  for (const part of between) closest(rows, part.y)?.cells[columnOf(part, head)]?.push(part);
  return { rows: rows.map(({ cells }) => cells.map(textOf)), lines: count };
}
