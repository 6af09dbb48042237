import type { TimedWord } from "../protocol/speech.ts";

/** A word of an utterance: its position in the text and when it is spoken. */
export interface CaptionWord {
  readonly text: string;
  /** Offset just behind the word in the text. */
  readonly end: number;
  /** When its sound begins, in ms from the utterance's start. */
  readonly startMs: number;
}

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Times the words of a text, which white space separates, by the words that the service has timed. A word that is spoken
 * differently from how it is written ("20" as "twenty") is placed between its neighbours, by length.
 */
export function timeWords(text: string, durationMs: number, timed: readonly TimedWord[] = []): CaptionWord[] {
  const tokens = [...text.matchAll(/\S+/g)];
  const known = alignStarts(
    tokens.map((token) => token[0]),
    timed,
  );
  return tokens.map((token, index) => ({
    text: token[0],
    end: token.index + token[0].length,
    startMs: known[index] ?? betweenNeighbours(tokens, known, index, durationMs),
  }));
}

/** The start of each written word that is found, in order, among the spoken ones. */
function alignStarts(words: string[], timed: readonly TimedWord[]): (number | undefined)[] {
  if (words.length === timed.length) return timed.map((word) => word.start);
  let next = 0;
  return words.map((word) => {
    const found = timed.findIndex((spoken, index) => index >= next && bare(spoken.text) === bare(word));
    // A match far ahead is another occurrence of a common word.
    if (found < 0 || found > next + 6) return undefined;
    next = found + 1;
    return timed[found]?.start;
  });
}

function betweenNeighbours(
  tokens: RegExpExecArray[],
  known: (number | undefined)[],
  index: number,
  durationMs: number,
): number {
  let before = index;
  while (before > 0 && known[before] === undefined) before -= 1;
  let after = index;
  while (after < tokens.length && known[after] === undefined) after += 1;
  const fromMs = known[before] ?? 0;
  const toMs = known[after] ?? durationMs;
  const last = tokens.at(-1);
  const textEnd = last ? last.index + last[0].length : 0;
  const offset = (at: number): number => tokens[at]?.index ?? textEnd;
  return fromMs + ((toMs - fromMs) * (offset(index) - offset(before))) / (offset(after) - offset(before));
}
