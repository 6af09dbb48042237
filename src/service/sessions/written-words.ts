import type { TimedWord } from "../../protocol/speech.ts";

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Above this number of comparisons, words are matched by position alone. */
const maxComparisons = 4_000_000;

/** Lengths of the longest common subsequences of the remainders of two word lists: `table[i][j]` starts at i and j. */
function commonLengths(written: readonly string[], spoken: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: written.length + 1 }, () => new Uint16Array(spoken.length + 1));
  for (let i = written.length - 1; i >= 0; i--)
    for (let j = spoken.length - 1; j >= 0; j--)
      table[i]![j] =
        written[i] !== "" && written[i] === spoken[j]
          ? table[i + 1]![j + 1]! + 1
          : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

/** Pairs of positions where both lists have the same word, in order, followed by the pair just behind both ends. */
function anchors(written: readonly string[], spoken: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  if (written.length * spoken.length <= maxComparisons) {
    const table = commonLengths(written, spoken);
    for (let i = 0, j = 0; i < written.length && j < spoken.length;) {
      if (written[i] !== "" && written[i] === spoken[j]) pairs.push([i++, j++]);
      else if (table[i + 1]![j]! >= table[i]![j + 1]!) i++;
      else j++;
    }
  }
  return [...pairs, [written.length, spoken.length]];
}

/** Distributes the time of some spoken words over the written ones, in proportion to their lengths. */
function distributed(written: readonly string[], startMs: number, endMs: number): TimedWord[] {
  const total = written.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return written.map((text) => {
    const start = startMs + ((endMs - startMs) * before) / total;
    before += text.length;
    return { text, start, end: startMs + ((endMs - startMs) * before) / total };
  });
}

/**
 * The words of a message with their spoken times, in order. The caller's captions show them. Words that were spoken as written
 * keep their times; others ("$12") share the time of the spoken words at that position ("twelve dollars").
 */
export function writtenWords(message: string, spoken: readonly TimedWord[]): TimedWord[] {
  const written = message.split(/\s+/u).filter((word) => word !== "");
  const result: TimedWord[] = [];
  let [fromWritten, fromSpoken] = [0, 0];
  for (const [toWritten, toSpoken] of anchors(
    written.map(bare),
    spoken.map(({ text }) => bare(text)),
  )) {
    const startMs = spoken[fromSpoken]?.start ?? spoken.at(-1)?.end ?? 0;
    const endMs = toSpoken > fromSpoken ? spoken[toSpoken - 1]!.end : startMs;
    result.push(...distributed(written.slice(fromWritten, toWritten), startMs, endMs));
    const word = spoken[toSpoken];
    if (word) result.push({ ...word, text: written[toWritten]! });
    [fromWritten, fromSpoken] = [toWritten + 1, toSpoken + 1];
  }
  return result;
}
