import { Fault } from "../fault.ts";
import { nodeBody } from "./node-body.ts";

function tooLarge(maxBytes: number): Fault {
  return Fault.invalid("max_length", `The body is larger than ${maxBytes} bytes.`);
}

/**
 * Reads a request's body, counting: nothing beyond `maxBytes` is taken in. Throws a Fault when there is more, or when the
 * client broke off.
 */
export async function readLimitedBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const incoming = nodeBody(request);
  if (incoming) return readPieces(incoming, maxBytes);
  if (request.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw Fault.parse("The body broke off.");
    });
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
    pieces.push(value);
  }
  return join(pieces, length);
}

async function readPieces(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > maxBytes) break;
      pieces.push(piece);
    }
  } catch {
    throw Fault.parse("The body broke off.");
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  return join(pieces, length);
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
