import type { HttpBindings } from "@hono/node-server";
import { forwardedHops, type ForwardedHeader } from "./forwarded-hops.ts";
import type { Log } from "./log.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** Tells the address that a request came from; null where it cannot be told. The second argument carries Node's request. */
export type ClientAddress = (request: Request, environment: unknown) => string | null;

/** What visitors' addresses are told from. */
export interface ClientAddressOptions {
  proxies: TrustedProxies;
  /** The header that the proxies write; undefined: X-Forwarded-For, else Forwarded. */
  header: ForwardedHeader | undefined;
  log: Pick<Log, "warn">;
}

/** The address that Node saw a request come from. */
function peerAddress(environment: unknown): string | null {
  const bindings = environment as Partial<HttpBindings> | undefined;
  return bindings?.incoming?.socket.remoteAddress ?? null;
}

/** Goes back from hop to hop as long as each is a trusted proxy; whoever could write anything else is not believed. */
function originOf(peer: string, hops: readonly (string | null)[], proxies: TrustedProxies): string {
  let current = peer;
  for (const hop of hops) {
    if (!proxies.has(current) || hop === null) break;
    current = hop;
  }
  return current;
}

/** Says each thing once. */
function onceFor(log: Pick<Log, "warn">): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    said.add(message);
    log.warn(message);
  };
}

/**
 * Tells visitors' addresses: what Node sees, and behind trusted proxies what these say, read from the right, hop by hop.
 * Where they say nothing that can be read, it is the address of the last trusted hop.
 */
export function createClientAddress({ proxies, header, log }: ClientAddressOptions): ClientAddress {
  const warn = onceFor(log);
  return (request, environment) => {
    const peer = peerAddress(environment);
    if (peer === null) return null;
    const forwardedFor = request.headers.get("x-forwarded-for");
    const forwarded = request.headers.get("forwarded");
    if (forwardedFor === null && forwarded === null) return peer;
    if (!proxies.any) {
      warn(
        "requests come with X-Forwarded-For or Forwarded, which is not read: every visitor of a proxy counts as one. Set VISAVIS_TRUSTED_PROXIES to the proxy's address.",
      );
      return peer;
    }
    if (header === undefined && forwardedFor !== null && forwarded !== null)
      warn(
        "requests come with X-Forwarded-For and with Forwarded; the first is read. Set VISAVIS_FORWARDED_HEADER to the one that your proxy writes.",
      );
    const name = header ?? (forwardedFor === null ? "forwarded" : "x-forwarded-for");
    const value = name === "forwarded" ? forwarded : forwardedFor;
    return value === null ? peer : originOf(peer, forwardedHops(name, value), proxies);
  };
}
