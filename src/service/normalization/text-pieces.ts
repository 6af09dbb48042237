/**
 * So many steps of the regular expression engine take 20 to 60 ms. It takes up to one for each letter and instruction of the pattern's
 * program.
 */
const stepsAtOnce = 200_000;
/** Where the pattern's largest program takes 50 ms. */
const shortest = 250;

/** Where a piece that begins at `from` ends: after a line, a sentence or a word, as late as it may. */
function endOfPiece(text: string, from: number, length: number): number {
  const piece = text.slice(from, from + length);
  for (const boundary of ["\n", ". ", " "]) {
    const at = piece.lastIndexOf(boundary);
    if (at > length / 2) return from + at + boundary.length;
  }
  // A pair of surrogates stays together.
  const last = piece.charCodeAt(piece.length - 1);
  return from + piece.length - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
}

/**
 * A text in pieces for a pattern whose program has this size, so that no piece takes long: a text that is made for it would
 * otherwise take seconds. What people say is one piece.
 */
export function piecesFor(text: string, programSize: number): string[] {
  const length = Math.max(shortest, Math.floor(stepsAtOnce / programSize));
  const pieces: string[] = [];
  for (let from = 0; from < text.length || pieces.length === 0;) {
    const end = text.length - from <= length ? text.length : endOfPiece(text, from, length);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}
