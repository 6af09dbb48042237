import { says } from "../words/facts.ts";
import { cellsOf, endsSentence, isSeparator } from "./lines.ts";

/** A row of a table as a sentence: its name, and each cell with the name of its column. */
export interface SaidRow {
  name: string;
  text: string;
}

/** A table at the beginning of lines, and how many lines it has. */
export interface ReadTable {
  rows: SaidRow[];
  lines: number;
}

const hasDigits = (cells: readonly string[]): boolean => cells.slice(1).some((cell) => /\d/.test(cell));
const isEmpty = (cell: string): boolean => /^[-–—]?$/.test(cell);

/** Whether the first row names the columns: a line of dashes says so, or it alone has no numbers. */
function hasHead(rows: readonly string[][], isMarked: boolean): boolean {
  const [first = [], ...rest] = rows;
  if (isMarked) return true;
  return rows.length > 2 && !hasDigits(first) && rest.filter(hasDigits).length >= rest.length / 2;
}

function saidRow([name = "", ...cells]: readonly string[], head: readonly string[] | undefined): SaidRow {
  const said = cells.flatMap((cell, place) => {
    if (isEmpty(cell)) return [];
    const column = head?.[place + 1] ?? "";
    // The only column of a price list is called "Price", which nobody has to hear.
    const isNamed = column !== "" && (cells.length > 1 || !says("money", cell));
    return [isNamed ? `${column} ${cell}` : cell];
  });
  const text = said.length === 0 ? name : `${name}: ${said.join(", ")}`;
  return { name, text: endsSentence.test(text) ? text : `${text}.` };
}

/** The table that begins with the line at this place; null where there is none. */
export function readTable(lines: readonly string[], from: number): ReadTable | null {
  const rows: string[][] = [];
  let isMarked = false;
  let count = 0;
  for (;;) {
    const line = lines[from + count] ?? "";
    const next = lines[from + count + 1];
    // The first row needs another one to be a row.
    const cells = isSeparator(line) && rows.length > 0 ? [] : cellsOf(line, rows.length > 0 ? line : next);
    if (cells?.length === 0) isMarked = true;
    else if (cells && cells.length > 1) rows.push(cells);
    else break;
    count += 1;
  }
  if (rows.length === 0) return null;
  const headed = hasHead(rows, isMarked);
  const head = headed ? rows[0] : undefined;
  return { rows: (headed ? rows.slice(1) : rows).map((row) => saidRow(row, head)), lines: count };
}
