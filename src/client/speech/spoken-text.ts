import { speechTextMaxLength } from "../../protocol/speech/speech-limits.ts";

/**
 * Appends a piece of an answer. Pieces contain their own white space. If a sentence ended without any, a space is added
 * before the next sentence.
 */
export function joinPiece(before: string, piece: string): string {
  const glued = /[.!?]["')\]]*$/.test(before) && /^\p{Lu}/u.test(piece);
  return before + (glued ? " " : "") + piece;
}

/** Splits a text into parts that can each be spoken at once, at white space where possible. Blank parts are left out. */
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
