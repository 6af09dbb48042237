import * as z from "zod";
import { type ForwardedHeader, forwardedHops, type TrustedProxies } from "../settings/trusted-proxies.ts";
import type { Logger } from "../../logging/logger.ts";

/** Finds the client address of a request; null if unknown. The second argument carries Node's request. */
export type ClientAddress = (request: Request, environment: unknown) => string | null;

/** How visitors' addresses are found. */
export interface ClientAddressOptions {
  proxies: TrustedProxies;
  /** The header that the proxies write; undefined: X-Forwarded-For, else Forwarded. */
  header: ForwardedHeader | undefined;
  log: Pick<Logger, "warn">;
}

/** The part of Node's own request that is read here. */
const environmentSchema = z.object({
  incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }),
});

/** The peer address of the request's connection. */
function peerAddress(environment: unknown): string | null {
  return environmentSchema.safeParse(environment).data?.incoming.socket.remoteAddress ?? null;
}

/**
 * Goes back hop by hop while each hop is a trusted proxy. Entries before the first untrusted hop are ignored, because anyone
 * could have written them.
 */
function originOf(peer: string, hops: readonly (string | null)[], proxies: TrustedProxies): string {
  let current = peer;
  for (const hop of hops) {
    if (!proxies.has(current) || hop === null) break;
    current = hop;
  }
  return current;
}

/** Logs each message only once. */
function onceFor(log: Pick<Logger, "warn">): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    said.add(message);
    log.warn(message);
  };
}

/**
 * Finds visitors' addresses: the address that Node sees, and behind trusted proxies the one that they report, read from the
 * right, hop by hop. If they report nothing readable, it is the address of the last trusted hop.
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
        "requests have X-Forwarded-For or Forwarded, which is ignored, so all visitors behind a proxy count as one. Set VISAVIS_TRUSTED_PROXIES to the proxy's address.",
      );
      return peer;
    }
    if (header === undefined && forwardedFor !== null && forwarded !== null)
      warn(
        "requests have both X-Forwarded-For and Forwarded; only the first is read. Set VISAVIS_FORWARDED_HEADER to the one that your proxy writes.",
      );
    const name = header ?? (forwardedFor === null ? "forwarded" : "x-forwarded-for");
    const value = name === "forwarded" ? forwarded : forwardedFor;
    return value === null ? peer : originOf(peer, forwardedHops(name, value), proxies);
  };
}
