/**
 * What may be Markdown, or may be spoken differently from how it is written. Texts without any of it need no parser: most
 * answers are plain sentences.
 */
const marks = /[*_`~#|<[\\&@]|\/\/|^[ \t]*(?:[-+>]+|\d+[.)])(?:\s|$)|\p{Extended_Pictographic}/mu;

/** Whether a text may hold marks of Markdown, addresses or pictographs. */
export function mayHoldMarkup(text: string): boolean {
  return marks.test(text);
}

/** The part of a text before its first mark: what can be shown until the parser is loaded. */
export function beforeMarkup(text: string): string {
  const first = text.search(marks);
  return first < 0 ? text : text.slice(0, first);
}
