/** Some of the bytes as Latin-1 text. */
function text(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** The image formats that every browser shows and that cannot contain scripts, recognised by their first bytes. */
const kinds: readonly { contentType: string; begins: (bytes: Uint8Array) => boolean }[] = [
  { contentType: "image/png", begins: (bytes) => text(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" },
  { contentType: "image/jpeg", begins: (bytes) => text(bytes, 0, 3) === "\xff\xd8\xff" },
  {
    contentType: "image/webp",
    begins: (bytes) => text(bytes, 0, 4) + text(bytes, 8, 12) === "RIFFWEBP",
  },
  { contentType: "image/avif", begins: (bytes) => text(bytes, 4, 12) === "ftypavif" },
];

/** The media type of an image by its bytes, whatever its name says; null for any other format. */
export function imageContentType(bytes: Uint8Array): string | null {
  return kinds.find(({ begins }) => begins(bytes))?.contentType ?? null;
}
