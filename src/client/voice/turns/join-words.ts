/** The words of two recordings of one turn. */
export function joinWords(before: string, text: string): string {
  return [before, text].filter(Boolean).join(" ");
}
