import { speechTextMaxLength } from "../protocol/speech.ts";

/**
 * Appends a piece of an answer. Pieces carry their own white space; where one that ended a sentence did not, the next
 * sentence is kept apart.
 */
export function joinPiece(before: string, piece: string): string {
  const glued = /[.!?]["')\]]*$/.test(before) && /^\p{Lu}/u.test(piece);
  return before + (glued ? " " : "") + piece;
}

/** Parts of a text that may be spoken in one piece each, cut at white space where there is some; blank ones left out. */
export function splitSpeech(text: string, limit = speechTextMaxLength): { offset: number; text: string }[] {
  const parts: { offset: number; text: string }[] = [];
  for (let offset = 0; offset < text.length;) {
    let end = Math.min(offset + limit, text.length);
    const space = text.slice(offset, end).search(/\s\S*$/);
    if (end < text.length && space > 0) end = offset + space;
    const part = text.slice(offset, end);
    if (part.trim()) parts.push({ offset, text: part });
    offset = end;
  }
  return parts;
}
