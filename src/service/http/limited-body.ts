import type { IncomingMessage } from "node:http";
import { BodyBuffer } from "../../protocol/body-buffer.ts";
import { Fault } from "../fault.ts";
import { takeBodyBytes } from "./body-lease.ts";
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
  const body = new BodyBuffer(maxBytes, (bytes) => takeBodyBytes(request, bytes));
  if (incoming) return readPieces(incoming, body, refusal);
  if (request.body === null) return body.bytes();
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw Fault.parse("The body broke off.");
      });
      if (done) return body.bytes();
      if (!body.add(value)) throw refusal();
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

function readPieces(
  incoming: IncomingMessage,
  body: BodyBuffer,
  refusal: () => Fault,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const brokenOff = (): void => reject(Fault.parse("The body broke off."));
    const stop = (error: Error): void => {
      // Whoever stops reading still has an answer to send on the same connection.
      incoming.off("data", take).pause();
      reject(error);
    };
    const take = (piece: Uint8Array): void => {
      try {
        if (!body.add(piece)) stop(refusal());
      } catch (error) {
        stop(error as Error);
      }
    };
    if (incoming.destroyed) brokenOff();
    // After the end, these come to nothing.
    incoming.on("data", take).on("error", brokenOff).on("close", brokenOff);
    incoming.on("end", () => resolve(body.bytes()));
  });
}
