/** A piece of a passage; whether the question has it. */
export interface MarkedPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

const wordPattern = /[\p{L}\p{N}]+/gu;
/** Words that differ only after so many letters mean the same, as "deliver" and "delivery". */
const stemLength = 5;
/** Shorter words are in every question. Scripts that write without spaces have short words. */
const shortest = 3;

const folded = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function isMatch(word: string, asked: readonly string[]): boolean {
  const own = folded(word);
  return asked.some((other) =>
    other.length >= stemLength && own.length >= stemLength
      ? own.startsWith(other.slice(0, stemLength))
      : own === other,
  );
}

/** A passage in pieces, with the words that the question has marked. It shows where they meet, not how they were compared. */
export function markedPieces(passage: string, question: string): MarkedPiece[] {
  const asked = [...question.matchAll(wordPattern)]
    .map(([word]) => folded(word))
    .filter((word) => word.length >= shortest || /\p{N}/u.test(word));
  const pieces: MarkedPiece[] = [];
  const add = (text: string, matches: boolean): void => {
    if (text !== "") pieces.push({ text, isMatch: matches });
  };
  let end = 0;
  for (const found of passage.matchAll(wordPattern)) {
    const [word] = found;
    if (!isMatch(word, asked)) continue;
    add(passage.slice(end, found.index), false);
    add(word, true);
    end = found.index + word.length;
  }
  add(passage.slice(end), false);
  return pieces;
}
