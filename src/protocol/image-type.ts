/** Some of the bytes as Latin-1 text. */
function text(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** The kinds of picture that every browser shows and that carry no script, by how their bytes begin. */
const kinds: readonly { contentType: string; begins: (bytes: Uint8Array) => boolean }[] = [
  { contentType: "image/png", begins: (bytes) => text(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" },
  { contentType: "image/jpeg", begins: (bytes) => text(bytes, 0, 3) === "\xff\xd8\xff" },
  {
    contentType: "image/webp",
    begins: (bytes) => text(bytes, 0, 4) + text(bytes, 8, 12) === "RIFFWEBP",
  },
  { contentType: "image/avif", begins: (bytes) => text(bytes, 4, 12) === "ftypavif" },
];

/** The media type of a picture by its bytes, whatever it was called; null for anything that is none of ours. */
export function imageContentType(bytes: Uint8Array): string | null {
  return kinds.find(({ begins }) => begins(bytes))?.contentType ?? null;
}
