import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";

const incomingOf = new WeakMap<Request, IncomingMessage>();

/** Remembers, under Node's own server, where a request's body comes from. */
export const rememberNodeBody: MiddlewareHandler = (context, next) => {
  const incoming = (context.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  if (incoming) incomingOf.set(context.req.raw, incoming);
  return next();
};

/**
 * The pieces of a request's body as Node reads them; undefined under other servers. A web stream in between would cost
 * more than everything else that is done for a heartbeat.
 */
export function nodeBody(request: Request): AsyncIterable<Uint8Array> | undefined {
  // Whoever stops reading still has an answer to send on the same connection.
  return incomingOf.get(request)?.iterator({ destroyOnReturn: false });
}
