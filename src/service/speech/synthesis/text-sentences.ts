import { sentencesIn } from "../../../protocol/sentences.ts";

const speakable = /[\p{L}\p{N}]/u;

/** Where a text that is too long is cut: after a clause or at white space in its second half, else anywhere. */
function cutPlace(text: string, maxLength: number): number {
  const part = text.slice(0, maxLength);
  const later = (place: number): boolean => place > maxLength / 2;
  const clause = Math.max(...[...part.matchAll(/[,;:](?=\s)|[、，；：]/g)].map(({ index }) => index + 1), 0);
  if (later(clause)) return clause;
  const space = Math.max(...[...part.matchAll(/\s/g)].map(({ index }) => index + 1), 0);
  if (later(space)) return space;
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(part) ? part.length - 1 : part.length;
}

function cutLong(sentence: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > maxLength) {
    const place = cutPlace(rest, maxLength);
    parts.push(rest.slice(0, place));
    rest = rest.slice(place);
  }
  return [...parts, rest];
}

/**
 * Splits a text of any language into pieces of whole sentences, at most `maxLength` characters each; a longer sentence is split
 * further. Joined, the pieces are the text. Each piece contains something to speak, if the text does.
 */
export function textSentences(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  for (const sentence of sentencesIn(text).flatMap((whole) => cutLong(whole, maxLength))) {
    const last = pieces.at(-1);
    const fits = last !== undefined && last.length + sentence.length <= maxLength;
    if (last !== undefined && (fits || !speakable.test(sentence) || !speakable.test(last)))
      pieces[pieces.length - 1] = last + sentence;
    else pieces.push(sentence);
  }
  return pieces;
}
