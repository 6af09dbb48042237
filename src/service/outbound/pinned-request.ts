import { request as httpRequest, type Agent as HttpAgent, type IncomingMessage } from "node:http";
import { request as httpsRequest, type Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { abortReason } from "../faults/error-message.ts";
import { certificateCodes, GuardedFetchError } from "./guarded-fetch-error.ts";
import type { ResolvedAddress } from "./outbound-address.ts";

/** One request in a chain of redirects. */
export interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: Uint8Array | null;
}

interface Connection {
  /** The checked addresses. The request connects to no others. */
  addresses: readonly ResolvedAddress[];
  agents: { http: HttpAgent; https: HttpsAgent };
  idleTimeoutMs: number;
  signal: AbortSignal;
}

/** A resolver that always returns these addresses. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error("The host has no address."), []);
  };
}

/** Whether the server closed a kept-alive connection at that moment, so that it never saw the request. */
function isStale(error: unknown, reusedSocket: boolean): boolean {
  return reusedSocket && error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function silence(): GuardedFetchError {
  return new GuardedFetchError("timeout", "The server sent nothing for too long.");
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
    let answer: IncomingMessage | undefined;
    request.on("response", (message) => resolve((answer = message)));
    request.on("timeout", () => {
      const bytes = request.socket?.bytesRead;
      // A busy process reads late: what has arrived meanwhile is read first.
      setImmediate(() => {
        if (request.socket?.bytesRead === bytes) (answer ?? request).destroy(silence());
      });
    });
    request.on("error", (error) => {
      if (signal.aborted) reject(abortReason(signal));
      else if (error instanceof GuardedFetchError) reject(error);
      else if (isStale(error, request.reusedSocket)) resolve(sendPinned(hop, connection));
      else reject(connectionFault(error));
    });
    request.end(hop.body ?? undefined);
  });
}

function connectionFault(cause: Error): GuardedFetchError {
  if ("code" in cause && certificateCodes.test(String(cause.code)))
    return new GuardedFetchError("certificate", `Its certificate is not valid: ${cause.message}`, { cause });
  return new GuardedFetchError("unreachable", "The server could not be reached.", { cause });
}
