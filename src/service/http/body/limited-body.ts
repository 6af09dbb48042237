import type { BodyBudget, BodyLease } from "../../installation.ts";
import { AuthFault } from "../identity.ts";
import { Fault } from "../../faults/fault.ts";
import type { HttpContext } from "../http-environment.ts";
import { type ClientAddress, nodeRequest, requestHeader } from "../node-request.ts";
import type { IncomingMessage } from "node:http";
import { BodyBuffer } from "../../../protocol/body-buffer.ts";

/** When to try again, in seconds: slow bodies are cut off after 30 s, and most are read long before. */
const retryAfterSec = 5;

/**
 * Opens the lease on memory that the request's body is read with. Undefined for calls within the process: their body has
 * been counted by the caller.
 */
export function openBodyLease(
  context: HttpContext,
  budget: BodyBudget | undefined,
  clientAddress: ClientAddress,
): BodyLease | undefined {
  if (!budget || !nodeRequest(context)) return undefined;
  // Opened at the first byte: most requests have no body, and finding the address takes time.
  let opened: BodyLease | undefined;
  const lease: BodyLease = {
    take: (bytes) => (opened ??= budget.open(clientAddress(context.req.raw, context.env))).take(bytes),
    release: () => opened?.release(),
  };
  context.set("bodyLease", lease);
  return lease;
}

/** Takes memory for the request's body. Throws a Fault (503) or an AuthFault (429) where none is left. */
function takeBodyBytes(context: HttpContext, bytes: number): void {
  const refusal = context.get("bodyLease")?.take(bytes) ?? null;
  if (refusal === "address") throw AuthFault.tooManyBodyBytes(retryAfterSec);
  if (refusal === "process") throw Fault.busy(retryAfterSec);
}

function tooLarge(maxBytes: number): Fault {
  return Fault.invalid("max_length", `The body is larger than ${maxBytes} bytes.`);
}

/**
 * Reads the request's body, at most `maxBytes` of it. Throws a Fault when the body is larger (made by `refusal`) or the
 * client disconnects.
 */
export async function readLimitedBody(
  context: HttpContext,
  maxBytes: number,
  refusal: () => Fault = () => tooLarge(maxBytes),
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(requestHeader(context, "content-length") ?? 0) > maxBytes) throw refusal();
  const incoming = nodeRequest(context);
  const body = new BodyBuffer(maxBytes, (bytes) => takeBodyBytes(context, bytes));
  if (incoming) return readPieces(incoming, body, refusal);
  const stream: ReadableStream<Uint8Array> | null = context.req.raw.body;
  if (stream === null) return body.bytes();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw Fault.parse("The body is incomplete: the connection closed early.");
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
    const brokenOff = (): void => reject(Fault.parse("The body is incomplete: the connection closed early."));
    const stop = (error: Error): void => {
      // The connection stays open: the answer is still to be sent on it.
      incoming.off("data", take).pause();
      reject(error);
    };
    const take = (piece: Uint8Array): void => {
      try {
        if (!body.add(piece)) stop(refusal());
      } catch (error) {
        stop(error instanceof Error ? error : new Error("The body was not read.", { cause: error }));
      }
    };
    if (incoming.destroyed) brokenOff();
    // Once the promise is resolved, a later `close` changes nothing.
    incoming.on("data", take).on("error", brokenOff).on("close", brokenOff);
    incoming.on("end", () => resolve(body.bytes()));
  });
}
