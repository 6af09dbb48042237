/** A first piece up to this number of characters is short enough for speech to start early. */
const firstPieceLength = 48;
/** A piece shorter than this would sound cut off. */
const shortestPiece = 24;

const conjunction = "(?:and|but|or|so|because|which|unless|if|while|where|when)\\b";

/**
 * Where speakers take a breath, the best places first: the end of a clause, a first comma that does not separate list items (the
 * next comma is far away), and a conjunction.
 */
const breaths = [
  new RegExp(`[;:–—]\\s+|,\\s+(?=${conjunction})`, "g"),
  /^[^,]*,\s+(?=[^,]{24})/g,
  new RegExp(`\\s+(?=${conjunction})`, "g"),
];

/** The first place of a kind where both pieces are long enough to stand alone and the first one is short. */
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
 * Splits an answer at natural speaking boundaries. The first piece is short, so that speech starts early. Joined, the pieces are
 * the sentences with one space in between.
 */
export function speakingPieces(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence, index) => {
    const whole = index < sentences.length - 1 ? `${sentence} ` : sentence;
    const cut = index === 0 ? firstCut(whole) : null;
    return cut === null ? [whole] : [whole.slice(0, cut), whole.slice(cut)];
  });
}
