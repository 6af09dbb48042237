import type { IncomingMessage } from "node:http";
import type { HttpContext } from "./http-environment.ts";
import { addressGroup } from "../../protocol/address-group.ts";

/**
 * Node's own request. Its body can be read without a web stream in between, which would cost more than everything else
 * that is done for a heartbeat. Undefined under other servers.
 */
export function nodeRequest(context: HttpContext): IncomingMessage | undefined {
  return incomingOf(context.env);
}

/** Without a server, as under `app.request()`, there is no environment, which Hono's types do not say. */
function incomingOf(bindings: HttpContext["env"] | undefined): IncomingMessage | undefined {
  return bindings?.incoming;
}

/**
 * A header of the request, its name in lower case; null where there is none. Node's own headers are read where they are
 * available: the first access to the web request's headers copies and checks all of them.
 */
export function requestHeader(context: HttpContext, name: Lowercase<string>): string | null {
  const incoming = nodeRequest(context);
  if (!incoming) return context.req.raw.headers.get(name);
  const value = incoming.headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? null;
}

/** The address that a request came from; null where it is unknown. */
export type ClientAddress = (request: Request, environment: unknown) => string | null;

/** The client's address as a counter's key. IPv6 addresses are counted by their /64 network. */
export function addressKey(context: HttpContext, clientAddress: ClientAddress): string {
  const address = clientAddress(context.req.raw, context.env);
  return `address:${address === null ? "unknown" : addressGroup(address)}`;
}
