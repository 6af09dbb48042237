const base64Chunk = 0x8000;

/** The bytes in base64 (RFC 4648). */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.byteLength; start += base64Chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + base64Chunk));
  }
  return btoa(text);
}

/** The strong ETag of some content, with its quotes. */
export async function etagOf(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", content);
  return `"${toBase64(new Uint8Array(digest)).slice(0, 22)}"`;
}

/** Whether the request's If-None-Match names the tag (RFC 9110, 13.1.2; weak comparison). */
export function matchesEtag(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  return header.split(",").some((entry) => {
    const tag = entry.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}

/** A JSON response that browsers cache for `maxAgeSec` and then revalidate with its ETag; 304 if it is unchanged. */
export async function cachedJson(request: Request, value: unknown, maxAgeSec: number): Promise<Response> {
  const text = JSON.stringify(value);
  const etag = await etagOf(new TextEncoder().encode(text));
  const headers = { ETag: etag, "Cache-Control": `public, max-age=${maxAgeSec}, must-revalidate` };
  if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "Content-Type": "application/json; charset=UTF-8" } });
}
