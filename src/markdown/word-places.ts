/** A place in a spoken text and the same place in the text it was made from. */
interface Anchor {
  readonly spoken: number;
  readonly written: number;
}

const bare = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

/** A word that is found further ahead than this is another occurrence of a common word. */
const farAhead = 200;

/** The words of a spoken text that are also in the written one, in order, each with the end of both. */
function anchors(spoken: string, written: string): Anchor[] {
  const found: Anchor[] = [{ spoken: 0, written: 0 }];
  let next = 0;
  for (const { 0: token, index } of spoken.matchAll(/\S+/g)) {
    const word = bare(token);
    const at = word ? written.indexOf(word, next) : -1;
    if (at < 0 || at - next > farAhead) continue;
    next = at + word.length;
    found.push({ spoken: index + token.length, written: next });
  }
  return [...found, { spoken: spoken.length, written: written.length }];
}

/**
 * Where a place of a spoken text is in the written text that it was made from. Words that both have lead to exact places;
 * between them it is an estimate. The end is always the end.
 */
export function writtenPlaces(spoken: string, written: string): (offset: number) => number {
  const known = anchors(spoken, written);
  return (offset) => {
    if (offset >= spoken.trimEnd().length) return written.length;
    const before = known.findLast((anchor) => anchor.spoken <= offset) ?? { spoken: 0, written: 0 };
    const after = known.find((anchor) => anchor.spoken > offset) ?? before;
    const span = after.spoken - before.spoken;
    if (span <= 0 || after.written <= before.written) return before.written;
    const share = (offset - before.spoken) / span;
    return before.written + Math.floor((after.written - before.written) * share);
  };
}
