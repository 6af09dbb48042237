/** Replaces control characters. Some names come from callers, and a terminal would execute control sequences in them. */
function shown(cell: string): string {
  return cell.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\u{fffd}");
}

/** Rows in aligned columns under their headings, one line each. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** JSON for people: indented, with all characters escaped that a terminal could interpret. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
