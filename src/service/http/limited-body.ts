import type { IncomingMessage } from "node:http";
import { Fault } from "../fault.ts";
import { nodeRequest, requestHeader } from "./node-request.ts";

function tooLarge(maxBytes: number): Fault {
  return Fault.invalid("max_length", `The body is larger than ${maxBytes} bytes.`);
}

/**
 * Reads a request's body, counting: nothing beyond `maxBytes` is taken in. Throws a Fault when there is more, or when the
 * client broke off; `refusal` makes that of a body that is too large.
 */
export async function readLimitedBody(
  request: Request,
  maxBytes: number,
  refusal: () => Fault = () => tooLarge(maxBytes),
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(requestHeader(request, "content-length") ?? 0) > maxBytes) throw refusal();
  const incoming = nodeRequest(request);
  if (incoming) return readPieces(incoming, maxBytes, refusal);
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
      throw refusal();
    }
    pieces.push(value);
  }
  return join(pieces, length);
}

function readPieces(
  body: IncomingMessage,
  maxBytes: number,
  refusal: () => Fault,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const brokenOff = (): void => reject(Fault.parse("The body broke off."));
    const take = (piece: Uint8Array): void => {
      length += piece.length;
      if (length <= maxBytes) return void pieces.push(piece);
      // Whoever stops reading still has an answer to send on the same connection.
      body.off("data", take).pause();
      reject(refusal());
    };
    if (body.destroyed) brokenOff();
    // After the end, these come to nothing.
    body.on("data", take).on("error", brokenOff).on("close", brokenOff);
    body.on("end", () => resolve(join(pieces, length)));
  });
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
