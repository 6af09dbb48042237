import { sentencesIn } from "../../../../protocol/sentences.ts";
import type { SpokenToken } from "./spoken-text.ts";

/** Flite's time and memory grow faster than the text, so it gets about this many characters at a time. */
const pieceMaxLength = 300;

/** Splits words into pieces that are spoken one by one: whole sentences if they fit, else at commas, else anywhere. */
export function speechPieces(tokens: readonly SpokenToken[]): SpokenToken[][] {
  const pieces: SpokenToken[][] = [];
  for (const sentence of sentencesOf(tokens).flatMap(cutLong)) {
    const last = pieces.at(-1);
    if (last && lengthOf(last) + lengthOf(sentence) <= pieceMaxLength) last.push(...sentence);
    else pieces.push([...sentence]);
  }
  return pieces;
}

/** The spoken forms of these words as one text. */
export function spokenTextOf(tokens: readonly SpokenToken[]): string {
  return tokens
    .map(({ spoken }) => spoken)
    .filter((spoken) => spoken !== "")
    .join(" ");
}

function lengthOf(tokens: readonly SpokenToken[]): number {
  return tokens.reduce((sum, { spoken }) => sum + spoken.length + 1, 0);
}

function sentencesOf(tokens: readonly SpokenToken[]): SpokenToken[][] {
  const sentences: SpokenToken[][] = [];
  let taken = 0;
  for (const sentence of sentencesIn(tokens.map(({ written }) => written).join(" "))) {
    const count = sentence.trim().split(/\s+/u).length;
    sentences.push(tokens.slice(taken, taken + count));
    taken += count;
  }
  if (taken < tokens.length) sentences.push(tokens.slice(taken));
  return sentences;
}

function cutLong(sentence: readonly SpokenToken[]): SpokenToken[][] {
  const parts: SpokenToken[][] = [];
  let rest = sentence;
  while (lengthOf(rest) > pieceMaxLength) {
    const count = cutPlace(rest);
    parts.push(rest.slice(0, count));
    rest = rest.slice(count);
  }
  return [...parts, [...rest]];
}

/** How many words come before the cut: up to the last comma in the second half of a piece, else as many as fit. */
function cutPlace(tokens: readonly SpokenToken[]): number {
  let length = 0;
  let fitting = 0;
  let atComma = 0;
  for (const { spoken } of tokens) {
    length += spoken.length + 1;
    if (length > pieceMaxLength) break;
    fitting++;
    if (length > pieceMaxLength / 2 && /[,;:]$/.test(spoken)) atComma = fitting;
  }
  return Math.max(1, atComma || fitting);
}
