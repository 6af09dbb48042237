import { request as httpRequest, type Agent as HttpAgent, type IncomingMessage } from "node:http";
import { request as httpsRequest, type Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { GuardedFetchError } from "./guarded-fetch-error.ts";
import type { ResolvedAddress } from "./outbound-address.ts";

/** One request of a chain of redirects. */
export interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: Uint8Array | null;
}

interface Connection {
  /** The addresses that were checked: no others are connected to. */
  addresses: readonly ResolvedAddress[];
  agents: { http: HttpAgent; https: HttpsAgent };
  idleTimeoutMs: number;
  signal: AbortSignal;
}

/** A resolver that knows one answer. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/** A kept connection that the other side closed just then: the request has not been seen by anybody. */
function isStale(error: unknown, reusedSocket: boolean): boolean {
  return reusedSocket && error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function silence(): GuardedFetchError {
  return new GuardedFetchError("timeout", "The other side fell silent.");
}

/** Sends a request to the checked addresses of its host. Rejects with GuardedFetchError, or the signal's reason. */
export function sendPinned(hop: Hop, connection: Connection): Promise<IncomingMessage> {
  const { addresses, agents, idleTimeoutMs, signal } = connection;
  const secure = hop.url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const options = {
      method: hop.method,
      headers: {
        ...Object.fromEntries(hop.headers),
        ...(hop.body && { "content-length": String(hop.body.length) }),
      },
      lookup: pinned(addresses),
      timeout: idleTimeoutMs,
      signal,
    };
    const request = secure
      ? httpsRequest(hop.url, { ...options, agent: agents.https })
      : httpRequest(hop.url, { ...options, agent: agents.http });
    request.on("response", (message) => {
      request.removeListener("timeout", onSilence);
      request.on("timeout", () => message.destroy(silence()));
      resolve(message);
    });
    const onSilence = (): void => void request.destroy(silence());
    request.on("timeout", onSilence);
    request.on("error", (error) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (error instanceof GuardedFetchError) reject(error);
      else if (isStale(error, request.reusedSocket)) resolve(sendPinned(hop, connection));
      else
        reject(
          new GuardedFetchError("unreachable", "The other side could not be reached.", { cause: error }),
        );
    });
    request.end(hop.body ?? undefined);
  });
}
