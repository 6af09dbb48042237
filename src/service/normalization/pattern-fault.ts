import { RE2JS } from "re2js";
import { isPlainObject } from "../plain-object.ts";

/** Why the regular expression engine refuses a pattern. */
export interface PatternFault {
  reason: string;
  /** The part of the pattern that is wrong; empty where that is not known. */
  piece: string;
  /** Where the piece begins, in UTF-16 units. */
  position: number;
}

type Complaint = Omit<PatternFault, "position">;

function complaintOf(error: unknown): Complaint {
  const thrown: Record<string, unknown> = isPlainObject(error) ? error : {};
  const { error: reason, input } = thrown;
  return {
    reason: typeof reason === "string" ? reason : "not a pattern",
    piece: typeof input === "string" ? input : "",
  };
}

/** Null for a valid pattern. */
function complaintAbout(pattern: string): Complaint | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return complaintOf(error);
  }
}

/** Parts of a pattern in which a parenthesis is literal: escapes, quoted text, character classes. */
const opaque = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/y;

/** Where a parenthesis has no other: the first that closes nothing, else the last that nothing closes; null where none is. */
function loneParenthesis(pattern: string): number | null {
  const open: number[] = [];
  for (let at = 0; at < pattern.length;) {
    opaque.lastIndex = at;
    const skipped = opaque.exec(pattern)?.[0].length ?? 0;
    if (pattern[at] === "(") open.push(at);
    if (pattern[at] === ")" && open.pop() === undefined) return at;
    at += skipped || 1;
  }
  return open.at(-1) ?? null;
}

/** The engine names the piece and not its place: where it stands several times, the one with which the complaint begins. */
function placeOf(pattern: string, { reason, piece }: Complaint): number {
  let last = -1;
  for (let at = pattern.indexOf(piece); at >= 0; at = pattern.indexOf(piece, at + 1)) {
    last = at;
    // A group's name is only complained about once its end mark is read.
    for (const length of [piece.length, piece.length + 1]) {
      const found = complaintAbout(pattern.slice(0, at + length));
      if (found?.reason === reason && found.piece === piece) return at;
    }
  }
  return Math.max(0, last);
}

/** Why the engine could not take a pattern, and where, from what it threw. */
export function patternFault(pattern: string, error: unknown): PatternFault {
  const complaint = complaintOf(error);
  const { reason, piece } = complaint;
  if (piece === "" && reason.startsWith("trailing backslash"))
    return { reason, piece: "\\", position: pattern.length - 1 };
  if (piece === "") return { reason, piece, position: 0 };
  // Of parentheses the engine names the whole pattern.
  const lone = piece === pattern && reason.endsWith(")") ? loneParenthesis(pattern) : null;
  if (lone === null) return { reason, piece, position: placeOf(pattern, complaint) };
  return { reason, piece: pattern[lone] === ")" ? ")" : pattern.slice(lone), position: lone };
}
