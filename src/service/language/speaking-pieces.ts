/** A first piece up to this many characters starts speech early enough as it is. */
const firstPieceLength = 48;
/** A piece shorter than this would sound cut off. */
const shortestPiece = 24;

const conjunction = "(?:and|but|or|so|because|which|unless|if|while|where|when)\\b";

/**
 * Where speakers take a breath, the better places first: the end of a clause, the first comma where it parts no list (the next
 * one is far), and a conjunction.
 */
const breaths = [
  new RegExp(`[;:–—]\\s+|,\\s+(?=${conjunction})`, "g"),
  /^[^,]*,\s+(?=[^,]{24})/g,
  new RegExp(`\\s+(?=${conjunction})`, "g"),
];

/** The first place of a kind that leaves pieces which are long enough to stand alone, and a first one that is short. */
function cutAt(kind: RegExp, sentence: string): number | null {
  for (const match of sentence.matchAll(kind)) {
    const end = match.index + match[0].length;
    if (end >= shortestPiece && end < sentence.length - shortestPiece) return end;
  }
  return null;
}

/** Where a long first sentence may be cut. */
export function firstCut(sentence: string): number | null {
  if (sentence.length <= firstPieceLength) return null;
  return breaths.map((kind) => cutAt(kind, sentence)).find((end) => end !== null) ?? null;
}

/**
 * Cuts an answer at natural speaking boundaries. The first piece is short, so that speech starts early. The pieces
 * joined are the sentences with one space between.
 */
export function speakingPieces(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence, index) => {
    const whole = index < sentences.length - 1 ? `${sentence} ` : sentence;
    const cut = index === 0 ? firstCut(whole) : null;
    return cut === null ? [whole] : [whole.slice(0, cut), whole.slice(cut)];
  });
}
