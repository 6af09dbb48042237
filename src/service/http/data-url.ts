/** The kinds of picture that every browser shows and that carry no script, by how their bytes begin. */
const kinds: readonly { contentType: string; begins: (bytes: Buffer) => boolean }[] = [
  { contentType: "image/png", begins: (bytes) => bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n" },
  { contentType: "image/jpeg", begins: (bytes) => bytes.toString("latin1", 0, 3) === "\xff\xd8\xff" },
  {
    contentType: "image/webp",
    begins: (bytes) => bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12) === "RIFFWEBP",
  },
  { contentType: "image/avif", begins: (bytes) => bytes.toString("latin1", 4, 12) === "ftypavif" },
];

/** The media type of a picture by its bytes, whatever it was called; null for anything that is none of ours. */
export function imageContentType(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return kinds.find(({ begins }) => begins(buffer))?.contentType ?? null;
}

/** The bytes of a base64 `data:` URL; null where the text is none. */
export function dataUrlBytes(text: string): Uint8Array | null {
  const match = /^data:image\/[a-z0-9.+-]{1,40};base64,([A-Za-z0-9+/]*={0,2})$/i.exec(text);
  return match ? Buffer.from(match[1] ?? "", "base64") : null;
}
