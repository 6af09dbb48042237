import { RelayError } from "./relay-error.ts";

/** The largest JSON body, in bytes. */
export const jsonMaxBytes = 256 * 1024;

/** The largest body with a file, in bytes: the file's 10 MB and the form around it. */
export const formMaxBytes = 10 * 1024 * 1024 + 64 * 1024;

/**
 * The body of a request or an answer, counted while it is read, so that one of any size costs no more than the limit.
 *
 * @throws RelayError max_length (413).
 */
export async function readLimited(
  message: Pick<Request, "headers" | "body">,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(message.headers.get("content-length") ?? 0) > maxBytes) throw RelayError.tooLarge(maxBytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = message.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw RelayError.tooLarge(maxBytes);
    }
    pieces.push(value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.byteLength;
  }
  return body;
}

/**
 * The request's JSON body. Plain text is taken too: a browser sends it without asking for leave first, which saves the
 * start a round trip. Nothing is risked by it, for no request is answered by a cookie, and the origin is checked anyway.
 *
 * @throws RelayError max_length (413), unsupported_media_type (415), parse_error (400).
 */
export async function readJson(request: Request): Promise<unknown> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/json|text\/plain)(?:;|$)/i.test(contentType)) {
    throw new RelayError("unsupported_media_type", 415, "Send application/json.");
  }
  const text = new TextDecoder().decode(await readLimited(request, jsonMaxBytes));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RelayError("parse_error", 400, "The body is not JSON.", { cause });
  }
}
