import remend from "remend";

/** The marks that begin a block, alone on the last line: their text has not come yet. */
const lonelyMark = /(^|\n)[ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]*)+(?:\[[ x]?\]?[ \t]*)?$/i;
/** An underline of a heading or a line across, not complete yet. */
const openLine = /\n[ \t]*(?:=+|-+|\*{2,}|_{2,})[ \t]*$/;
/** Marks inside a line, and entities, whose other part may still come. */
const openInline = /(?:!?\[|[*_~`<]+|\\|&#?\w{0,8})$/;

const tableRow = /^[ \t]*\|/;
const delimiterCell = /^\s*:?-+:?\s*$/;

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
}

/** Drops the rows of a table whose second line, which makes it a table, is not complete yet. */
function withoutOpenTable(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  let first = lines.length;
  while (first > 0 && tableRow.test(lines[first - 1] ?? "")) first -= 1;
  const [header, delimiters] = lines.slice(first);
  if (header === undefined) return text;
  const cells = cellsOf(delimiters ?? "");
  const isTable = cells.every((cell) => delimiterCell.test(cell)) && cells.length === cellsOf(header).length;
  return isTable ? text : lines.slice(0, first).join("\n");
}

const hasOpenFence = (text: string): boolean => (text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;

/**
 * A text that is still being written, without the marks whose end has not come: bold text is bold from its first letter, a
 * link is its label, and what may become a list or a table waits. No mark is ever shown as a symbol.
 */
export function withoutOpenMarks(text: string): string {
  if (hasOpenFence(text)) return text.replace(/\n[ \t]*[`~]{1,2}$/, "");
  const closed = withoutOpenTable(text)
    .replace(openLine, "")
    .replace(lonelyMark, "$1")
    .replace(openInline, "");
  return remend(closed, { linkMode: "text-only", setextHeadings: false });
}
