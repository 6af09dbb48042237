/** The bytes of a base64 `data:` URL; null if the text is not one. */
export function dataUrlBytes(text: string): Uint8Array | null {
  const match = /^data:image\/[a-z0-9.+-]{1,40};base64,([A-Za-z0-9+/]*={0,2})$/i.exec(text);
  return match ? Buffer.from(match[1] ?? "", "base64") : null;
}
