/** Names come from callers too, and a terminal obeys what is written to it: so nothing but characters that show. */
function shown(cell: string): string {
  return cell.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\u{fffd}");
}

/** Rows in columns of even width, under their headings; one line each. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/** JSON for people: indented, and with characters escaped that a terminal could obey. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
