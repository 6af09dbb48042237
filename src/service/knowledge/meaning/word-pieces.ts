import type { EncoderHeader } from "./encoder-file.ts";

/** Begins a word in SentencePiece's vocabularies. */
const wordStart = "\u2581";
/** The first pieces are marks. */
const marks = 6;
const unknownPiece = 0;
/** What a character that no piece has costs. */
const unknownScore = -20;

/** Divides a text into the pieces of words that an encoder knows, by their numbers. */
export type WordPieces = (text: string) => number[];

/** Divides as SentencePiece does with a unigram model: the division whose pieces have the greatest sum of scores. */
export function wordPieces(vocabulary: EncoderHeader["pieces"]): WordPieces {
  const known = new Map<string, { score: number; id: number }>();
  for (const [id, [piece, score]] of vocabulary.entries())
    if (id >= marks && !known.has(piece)) known.set(piece, { score, id });
  const longest = Math.max(...[...known.keys()].map((piece) => piece.length));
  return (text) => {
    const characters = wordStart + text.normalize("NFKC").replaceAll(" ", wordStart);
    const scores = new Array<number>(characters.length + 1).fill(-Infinity);
    /** The last piece of the best division up to each place, and where that piece begins. */
    const last = scores.map(() => ({ from: 0, id: unknownPiece }));
    scores[0] = 0;
    const put = (to: number, score: number, from: number, id: number): void => {
      if (score <= (scores[to] ?? Infinity)) return;
      scores[to] = score;
      last[to] = { from, id };
    };
    for (let from = 0; from < characters.length; from += 1) {
      const before = scores[from] ?? 0;
      for (let to = from + 1; to <= Math.min(from + longest, characters.length); to += 1) {
        const piece = known.get(characters.slice(from, to));
        if (piece) put(to, before + piece.score, from, piece.id);
      }
      if (scores[from + 1] === -Infinity) put(from + 1, before + unknownScore, from, unknownPiece);
    }
    const ids: number[] = [];
    for (let at = characters.length; at > 0; at = last[at]?.from ?? 0) ids.push(last[at]?.id ?? unknownPiece);
    ids.reverse();
    // Several unknown characters are one unknown piece.
    return ids.filter((id, at) => id !== unknownPiece || ids[at - 1] !== unknownPiece);
  };
}
