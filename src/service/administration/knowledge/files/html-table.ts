import { elementsIn, type HtmlElement } from "./html-tree.ts";

/** The most columns that a cell is spread over, and rows. */
const maxSpan = 50;

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

/** The rows of a table. A first row of names only is its head. */
function rowsOf(table: HtmlElement): Row[] {
  const rows: Row[] = [];
  for (const part of elementsIn(table))
    for (const row of part.name === "tr" ? [part] : elementsIn(part).filter(({ name }) => name === "tr")) {
      const cells = elementsIn(row).filter(({ name }) => name === "td" || name === "th");
      const isNamed = cells.length > 1 && cells.every(({ name }) => name === "th");
      const isFirst = rows.every(({ isHead }) => isHead);
      if (cells.length > 0) rows.push({ cells, isHead: isFirst && (part.name === "thead" || isNamed) });
    }
  return rows;
}

const spanOf = ({ attributes }: HtmlElement, name: string): number =>
  Math.min(maxSpan, Math.max(1, Number.parseInt(attributes[name] ?? "1", 10) || 1));

/** The texts of rows, each in its column: a cell of several rows is in each of them. */
function gridOf(rows: readonly Row[], textOf: (cell: HtmlElement) => string): string[][] {
  const below = new Map<number, { text: string; rows: number }>();
  return rows.map(({ cells, isHead }) => {
    const texts: string[] = [];
    const fillFromAbove = (): void => {
      for (let above = below.get(texts.length); above; above = below.get(texts.length)) {
        if (above.rows === 1) below.delete(texts.length);
        else above.rows -= 1;
        texts.push(above.text);
      }
    };
    for (const cell of cells) {
      fillFromAbove();
      const text = textOf(cell).replaceAll("|", "/");
      const rowSpan = spanOf(cell, "rowspan");
      for (let column = spanOf(cell, "colspan"), isFirst = true; column > 0; column--, isFirst = false) {
        const said = isFirst || isHead ? text : "";
        if (rowSpan > 1) below.set(texts.length, { text: said, rows: rowSpan - 1 });
        texts.push(said);
      }
    }
    fillFromAbove();
    return texts;
  });
}

/** Several rows of names as one: a name and the one below it, unless they are the same. */
function joinedHead(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: columns }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? ""))].filter((name) => name !== "").join(" "),
  );
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/**
 * A table as Markdown. A table whose rows are named and whose columns are not gets an empty head; one that says nothing about names
 * gets none. Null: it has one row or column, so that it only arranges what is in it.
 */
export function htmlTable(table: HtmlElement, textOf: (cell: HtmlElement) => string): string | null {
  const rows = rowsOf(table);
  if (rows.length < 2 || rows.every(({ cells }) => cells.length < 2)) return null;
  const grid = gridOf(rows, textOf);
  const headRows = rows.filter(({ isHead }) => isHead).length;
  const body = grid.slice(headRows).filter((cells) => cells.some((text) => text !== ""));
  if (body.length === 0) return null;
  const isNamedByRow = rows.some(({ cells, isHead }) => !isHead && cells[0]?.name === "th");
  if (headRows === 0 && !isNamedByRow) return body.map(line).join("\n");
  const head = headRows === 0 ? body[0]?.map(() => "") : joinedHead(grid.slice(0, headRows));
  return [line(head ?? []), line((head ?? []).map(() => "---")), ...body.map(line)].join("\n");
}
