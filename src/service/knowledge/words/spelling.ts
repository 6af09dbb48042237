import leven from "leven";

/** Words that may be misspelled: no short ones, because different short words look alike, and no numbers or syllables. */
const canBeMisspelled = /^[\p{Script=Latin}]{4,}$/u;
const longWord = 8;

/** The stem of a vocabulary that a misspelled one means: with the same first letter, and one letter wrong, or two in a long word. */
export function meantStem(stem: string, vocabulary: Iterable<string>): string | null {
  return nearest(stem, vocabulary, stem.length >= longWord ? 2 : 1);
}

/** From this length on, one letter may be another one: "trail" and "train" are two words. */
const wrongLetterLength = 7;
const veryLongWord = 10;

/**
 * The whole word of a vocabulary that a misspelled one means: with the same first letter, and one letter missing, too many, in another
 * place or, in a longer word, wrong. Whole words are compared more strictly than stems, because there are more of them.
 */
export function meantWord(word: string, vocabulary: Iterable<string>): string | null {
  // A word that only ends otherwise is another form.
  const others = [...vocabulary].filter(
    (known) =>
      known[0] === word[0] &&
      !known.startsWith(word) &&
      !word.startsWith(known) &&
      (word.length >= wrongLetterLength || known.length !== word.length || leven(known, word) > 1),
  );
  return nearest(word, others, word.length >= veryLongWord ? 2 : 1);
}

function nearest(word: string, vocabulary: Iterable<string>, maxDistance: number): string | null {
  if (!canBeMisspelled.test(word)) return null;
  let best: string | null = null;
  let bestDistance = maxDistance + 1;
  for (const known of vocabulary) {
    if (known[0] !== word[0] || Math.abs(known.length - word.length) >= bestDistance) continue;
    const distance = distanceOf(known, word);
    if (distance < bestDistance) [best, bestDistance] = [known, distance];
  }
  return best;
}

/** Two letters that changed places are one mistake. */
function distanceOf(one: string, other: string): number {
  const distance = leven(one, other);
  if (distance !== 2 || one.length !== other.length) return distance;
  const at = Array.from(one).findIndex((letter, place) => letter !== other[place]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? "") + (one[at] ?? "") + one.slice(at + 2);
  return swapped === other ? 1 : distance;
}
