import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { GuardedFetchError } from "./guarded-fetch-error.ts";
import { limitedResponse } from "./guarded-response.ts";
import { callableAddresses, systemResolve, type Resolve } from "./outbound-address.ts";
import { sendPinned, type Hop } from "./pinned-request.ts";

/** Options of the guard. */
export interface GuardedFetchOptions {
  /** Also allows http and addresses in private networks. Default false. */
  allowPrivate?: boolean;
  /** The maximum number of redirects. Default 3. */
  maxRedirects?: number;
  /** How host names are resolved. Default: the system's resolver. */
  resolve?: Resolve;
  /** A certificate authority (PEM) to trust instead of the system's. */
  certificateAuthority?: string | undefined;
}

/** A call and its limits. */
export interface GuardedRequest extends Pick<RequestInit, "method" | "headers" | "body"> {
  signal?: AbortSignal | null | undefined;
  /** How long the call may take, including the whole body. Default 30 s. */
  timeoutMs?: number;
  /** How long to wait for the next bytes. Default: the limit of the whole call. */
  idleTimeoutMs?: number;
  /** The largest body in bytes, counted while it is read. Default 10 MiB. */
  maxBytes?: number;
}

/**
 * `fetch` for addresses that tenants configure. Resolves with the headers while the body still streams. The call and the reading
 * of the body reject with GuardedFetchError, or with the signal's reason when it is aborted.
 */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Response>;

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 10 * 1024 * 1024;
const defaultMaxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Headers that may be sent on to another origin after a redirect. Any other header may contain a secret. */
const harmlessHeaders = ["accept", "content-type"];

function parsedUrl(text: string | URL, allowPrivate: boolean): URL {
  if (!URL.canParse(String(text))) throw new GuardedFetchError("invalid_url", "The address is not a URL.");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new GuardedFetchError("invalid_url", "The address must not contain a user name or password.");
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    throw new GuardedFetchError("insecure_url", "The address must begin with https.");
  return url;
}

/** The first hop. Its body is converted to bytes, so that a redirect can send it again. */
async function firstHop(url: URL, request: GuardedRequest): Promise<Hop> {
  const encoded = new Response(request.body ?? null);
  const headers = new Headers(request.headers);
  const type = encoded.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  headers.set("accept-encoding", "identity");
  const body = request.body == null ? null : new Uint8Array(await encoded.arrayBuffer());
  return { url, method: (request.method ?? "GET").toUpperCase(), headers, body };
}

/** The next hop after a redirect, by the rules of the Fetch standard (HTTP-redirect fetch). */
function redirected(hop: Hop, status: number, url: URL): Hop {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin)
    for (const name of hop.headers.keys()) if (!harmlessHeaders.includes(name)) headers.delete(name);
  headers.set("accept-encoding", "identity");
  const becomesGet = (status === 303 && hop.method !== "HEAD") || (status < 303 && hop.method === "POST");
  if (!becomesGet) return { ...hop, url, headers };
  headers.delete("content-type");
  return { url, method: "GET", headers, body: null };
}

/** One signal for the time limit of a call and the caller's own signal; `end` must be called when the call is over. */
function deadline(timeoutMs: number, signal: AbortSignal | null | undefined) {
  const abort = new AbortController();
  const onAbort = (): void => abort.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(
    () => abort.abort(new GuardedFetchError("timeout", "The call took too long.")),
    timeoutMs,
  ).unref();
  return {
    signal: abort.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Protects against requests into our own networks (server-side request forgery). Only https is allowed. Each name is resolved
 * once, and the connection uses exactly the addresses that were checked. Redirects are checked in the same way.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const {
    allowPrivate = false,
    maxRedirects = defaultMaxRedirects,
    resolve = systemResolve,
    certificateAuthority,
  } = options;
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, ...(certificateAuthority && { ca: certificateAuthority }) }),
  };

  async function follow(first: Hop, idleTimeoutMs: number, signal: AbortSignal) {
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const addresses = await callableAddresses(hop.url.hostname, allowPrivate, resolve);
      signal.throwIfAborted();
      const message = await sendPinned(hop, { addresses, agents, idleTimeoutMs, signal });
      const status = message.statusCode ?? 0;
      const { location: target } = message.headers;
      if (!redirectStatuses.has(status) || target === undefined) return { message, url: hop.url };
      message.destroy();
      if (redirects === maxRedirects)
        throw new GuardedFetchError(
          "too_many_redirects",
          `The address redirects more than ${maxRedirects} times.`,
        );
      if (!URL.canParse(target, hop.url.href))
        throw new GuardedFetchError("invalid_url", "The address redirects to an invalid URL.");
      hop = redirected(hop, status, parsedUrl(new URL(target, hop.url.href), allowPrivate));
    }
  }

  return async (address, request = {}) => {
    request.signal?.throwIfAborted();
    const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = request;
    const first = await firstHop(parsedUrl(address, allowPrivate), request);
    const limit = deadline(timeoutMs, request.signal);
    try {
      const { message, url } = await follow(first, request.idleTimeoutMs ?? timeoutMs, limit.signal);
      const response = limitedResponse(message, { maxBytes, signal: limit.signal, onEnd: () => limit.end() });
      // As with `fetch`: where the answer came from, after redirects.
      return Object.defineProperty(response, "url", { value: url.href });
    } catch (error) {
      limit.end();
      throw error;
    }
  };
}

/**
 * `fetch` for the engines of the operator's own catalogue rows. Allows http and private networks, because the operator chose the
 * address. Follows no redirect, so that an external engine cannot redirect a call into the network.
 */
export function createOperatorFetch(): GuardedFetch {
  return createGuardedFetch({ allowPrivate: true, maxRedirects: 0 });
}
