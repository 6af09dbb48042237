/** One line of a benchmark's table. */
export interface Row {
  name: string;
  columns: Record<string, number | string>;
}

/** The result of a benchmark: a title and its rows. */
export interface Table {
  title: string;
  rows: Row[];
}

/** The table as text with aligned columns. */
export function formatTable({ title, rows }: Table): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.columns)))];
  const cells = [
    ["", ...names],
    ...rows.map((row) => [row.name, ...names.map((name) => String(row.columns[name] ?? ""))]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  "),
  );
  return [title, "-".repeat(title.length), ...lines, ""].join("\n");
}

/** The p-th percentile (0–100) of the values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.round((p / 100) * (sorted.length - 1)))] ?? Number.NaN;
}

/** A number with at most one decimal. */
export function short(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A row that summarizes times in ms. */
export function timesRow(name: string, values: readonly number[]): Row {
  return {
    name,
    columns: {
      n: values.length,
      min: short(Math.min(...values)),
      median: short(percentile(values, 50)),
      p90: short(percentile(values, 90)),
    },
  };
}
