import type { MiddlewareHandler } from "hono";
import type { BodyBudget, BodyLease } from "./body-budget.ts";
import type { RelayDeps } from "../relay-deps.ts";
import { BodyBuffer } from "../../protocol/body-buffer.ts";
import { RelayError } from "../relay-error.ts";

const leaseKey = Symbol("memory for the body");

/** A property of the request, because a weak map would keep requests until the next full garbage collection. */
type Leasing = Request & { [leaseKey]?: BodyLease };

/** Opens a lease on the memory for each request's body, until the request is answered. */
export function leasedBodies(
  budget: BodyBudget,
  clientAddress: RelayDeps["clientAddress"],
): MiddlewareHandler {
  return async (c, next) => {
    const lease = budget.open(clientAddress?.(c.req.raw, c.env) ?? null);
    (c.req.raw as Leasing)[leaseKey] = lease;
    try {
      await next();
    } finally {
      lease.release();
    }
  };
}

/** The lease of a request, if it has one. */
function bodyLeaseOf(message: object): BodyLease | undefined {
  return (message as Partial<Leasing>)[leaseKey];
}

/** The largest JSON body, in bytes. */
export const jsonMaxBytes = 256 * 1024;

/** The largest body with a file, in bytes: a file of 10 MB and the form around it. */
export const formMaxBytes = 10 * 1024 * 1024 + 64 * 1024;

/**
 * Reads the body of a request or a response and counts its bytes, so that no more than the limit is kept in memory.
 *
 * @throws RelayError max_length (413); rate_limited (429), engine_failed (503) if the memory for bodies is used up.
 */
export async function readLimited(
  message: Pick<Request, "headers" | "body">,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(message.headers.get("content-length") ?? 0) > maxBytes) throw RelayError.tooLarge(maxBytes);
  const lease = bodyLeaseOf(message);
  const body = new BodyBuffer(maxBytes, (bytes) => {
    const refusal = lease?.take(bytes) ?? null;
    if (refusal !== null) throw RelayError.tooManyBodies(refusal);
  });
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = message.body?.getReader();
  if (!reader) return body.bytes();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return body.bytes();
      if (!body.add(value)) throw RelayError.tooLarge(maxBytes);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

/**
 * The request's JSON body. Plain text is accepted too, because it needs no CORS preflight, which saves the start a round
 * trip. That is safe: the relay uses no cookies, and it checks the origin anyway.
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
