const form =
  /^data:image\/[a-z0-9.+-]{1,40}(?:;[a-z0-9-]{1,40}=[^;,"]{0,80}){0,4};base64,([A-Za-z0-9+/]*={0,2})$/i;

/**
 * The bytes of a base64 `data:` URL; null if the text is not one. White space in it does not count (Fetch Standard, data: URL processor):
 * encoders wrap lines. It is removed first, so that the expression takes linear time.
 */
export function dataUrlBytes(text: string): Uint8Array | null {
  const match = form.exec(text.replace(/[\t\n\f\r ]+/g, ""));
  return match ? Buffer.from(match[1] ?? "", "base64") : null;
}
