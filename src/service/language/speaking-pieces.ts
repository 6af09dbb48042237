/** A first piece up to this many characters starts speech early enough as it is. */
const firstPieceLength = 60;
/** A piece shorter than this would sound cut off. */
const shortestPiece = 24;

const clauseEnd = /[;:–—]\s+|,\s+(?=(?:and|but|or|so|because|which|unless|if|while|where|when)\b)/g;

/** Where a long first sentence may be cut: after the first clause that is long enough to stand alone. */
export function firstCut(sentence: string): number | null {
  if (sentence.length <= firstPieceLength) return null;
  for (const match of sentence.matchAll(clauseEnd)) {
    const end = match.index + match[0].length;
    if (end >= shortestPiece && end < sentence.length - shortestPiece) return end;
    if (end > firstPieceLength) break;
  }
  return null;
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
