/** Some of the bytes as Latin-1 text. */
const text = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

/** The bit of the header of an extended WebP file that says: it moves (RFC 9649, 2.7). */
const movingBit = 0x02;

const isMovingWebp = (bytes: Uint8Array): boolean =>
  text(bytes, 12, 16) === "VP8X" && ((bytes[20] ?? 0) & movingBit) !== 0;

/** A PNG file moves if it has a chunk `acTL` before its pixels. Long profiles of colours may come before. */
function isMovingPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const name = text(bytes, at + 4, at + 8);
    if (name === "acTL") return true;
    if (name === "IDAT") return false;
  }
  return false;
}

/** Formats that may move, by their first bytes. */
const kinds: readonly { begins: (bytes: Uint8Array) => boolean; moves: (bytes: Uint8Array) => boolean }[] = [
  { begins: (bytes) => text(bytes, 0, 4) === "GIF8", moves: () => true },
  { begins: (bytes) => text(bytes, 4, 12) === "ftypavis", moves: () => true },
  { begins: (bytes) => text(bytes, 0, 4) + text(bytes, 8, 12) === "RIFFWEBP", moves: isMovingWebp },
  { begins: (bytes) => text(bytes, 1, 4) === "PNG", moves: isMovingPng },
];

/** Whether a picture moves, by what comes before its pixels. Every GIF counts. The file's beginning is enough. */
export function isMovingPicture(bytes: Uint8Array): boolean {
  return kinds.some(({ begins, moves }) => begins(bytes) && moves(bytes));
}
