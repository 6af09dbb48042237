import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

const incomingKey = Symbol("Node's request");

/** A property, because what a long-lived weak map holds outlives every quick collection, and its request with it. */
type Remembering = Request & { [incomingKey]?: IncomingMessage };

/** Remembers, under Node's own server, which of its requests this is. */
export function rememberNodeRequest(context: Context): void {
  const incoming = (context.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  if (incoming) (context.req.raw as Remembering)[incomingKey] = incoming;
}

/**
 * Node's own request, whose body can be read without a web stream in between; that would cost more than everything else
 * that is done for a heartbeat. Undefined under other servers.
 */
export function nodeRequest(request: Request): IncomingMessage | undefined {
  return (request as Remembering)[incomingKey];
}

/**
 * A header of a request, its name in lower case; null where there is none. Asking the request's own headers for the first
 * time copies and checks all of them.
 */
export function requestHeader(request: Request, name: Lowercase<string>): string | null {
  const incoming = nodeRequest(request);
  if (!incoming) return request.headers.get(name);
  const value = incoming.headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? null;
}
