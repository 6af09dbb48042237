import { Buffer } from "node:buffer";
import { Agent as HttpAgent, type IncomingMessage } from "node:http";
import { type Duplex, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { GuardedFetchError } from "./guarded-fetch-error.ts";
import { Agent as HttpsAgent } from "node:https";
import { TimeLimit } from "../../timing/time-limit.ts";
import { callableAddresses, type Resolve, systemResolve } from "./outbound-address.ts";
import { type Hop, sendPinned } from "./pinned-request.ts";

interface BodyLimits {
  maxBytes: number;
  /** Whether the answer is packed as it says. Otherwise its first bytes tell. */
  trustsPacking: boolean;
  signal: AbortSignal;
  /** Called once, when no more data will come. */
  onEnd: () => void;
}

const statusesWithoutBody = new Set([204, 205, 304]);

function tooLarge(maxBytes: number): GuardedFetchError {
  return new GuardedFetchError("too_large", `The answer is larger than ${maxBytes} bytes.`);
}

function headersOf(message: IncomingMessage, isUnpacked: boolean): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (isUnpacked && /^content-(?:encoding|length)$/.test(name)) continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

/** Unpacks what some servers pack although nobody asked for it. */
const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** How an answer says that it is packed; null if it is not, or in a way that is not known. */
function packingOf({ headers }: IncomingMessage): string | null {
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  return Object.hasOwn(unpackers, encoding) ? encoding : null;
}

const isGzip = (first: number, second: number): boolean => first === 0x1f && second === 0x8b;
/** The format of zlib (RFC 1950), which `deflate` means. Some servers leave it out (RFC 1951). */
const isZlib = (first: number, second: number): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
/** A page that is not packed begins so, perhaps after spaces. */
const isMarkup = (first: number): boolean => [0x3c, 0x20, 0x0a, 0x0d, 0xef].includes(first);

/** What unpacks an answer by its first bytes, whatever it says; null: it is not packed. */
function unpackerFor(packing: string, first: number, second: number): Duplex | null {
  if (isGzip(first, second)) return createGunzip();
  if (packing === "deflate") return isZlib(first, second) ? createInflate() : createInflateRaw();
  return packing === "br" && !isMarkup(first) ? createBrotliDecompress() : null;
}

/** The body of an answer that may be packed in another way than it says. */
async function* unpackedAsItIs(message: Readable, packing: string): AsyncGenerator {
  const pieces: AsyncIterator<unknown> = message[Symbol.asyncIterator]();
  let start = new Uint8Array();
  async function* whole(): AsyncGenerator {
    yield start;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  try {
    while (start.length < 2) {
      const step = await pieces.next();
      const value: unknown = step.value;
      if (!(value instanceof Uint8Array)) break;
      start = Buffer.concat([start, value]);
    }
    const [first = 0, second = 0] = start;
    const isPlain = packing === "deflate" && isMarkup(first);
    const unpacker = isPlain ? null : unpackerFor(packing, first, second);
    // The callback has nothing to do: an error of either is one of the stream that is read.
    yield* unpacker === null ? whole() : pipeline(whole(), unpacker, () => undefined);
  } finally {
    message.destroy();
  }
}

function unpackedBody(message: Readable, packing: string, { trustsPacking }: BodyLimits): Readable {
  if (!trustsPacking) return Readable.from(unpackedAsItIs(message, packing), { objectMode: false });
  const unpacker = unpackers[packing]?.();
  // The callback has nothing to do: an error of either is one of the stream that is read.
  return unpacker ? pipeline(message, unpacker, () => undefined) : message;
}

/** The reason why a body failed: our own errors unchanged, any other as `unreachable`. */
function breakReason(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof GuardedFetchError) return error;
  return new GuardedFetchError("unreachable", "The answer is incomplete: the connection closed early.", {
    cause: error,
  });
}

function limitedBody(message: Readable, { maxBytes, signal, onEnd }: Omit<BodyLimits, "trustsPacking">) {
  const pieces: AsyncIterator<unknown> = message[Symbol.asyncIterator]();
  let length = 0;
  const stop = (): void => {
    onEnd();
    message.destroy();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const step = await pieces.next();
        if (step.done) {
          onEnd();
          controller.close();
          return;
        }
        const piece: unknown = step.value;
        if (!(piece instanceof Uint8Array)) throw new TypeError("The answer was read as text.");
        length += piece.length;
        if (length > maxBytes) throw tooLarge(maxBytes);
        controller.enqueue(new Uint8Array(piece));
      } catch (error) {
        stop();
        controller.error(breakReason(error, signal));
      }
    },
    cancel: stop,
  });
}

/** The response as a web platform Response. Its body is unpacked and counted while it is read. */
function limitedResponse(message: IncomingMessage, limits: BodyLimits): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new GuardedFetchError("unreachable", "The server answered with an invalid status.");
  }
  const packing = packingOf(message);
  const headers = headersOf(message, packing !== null);
  const init = { status, statusText: message.statusMessage ?? "", headers };
  if (statusesWithoutBody.has(status)) {
    message.resume();
    limits.onEnd();
    return new Response(null, init);
  }
  if (Number(message.headers["content-length"] ?? 0) > limits.maxBytes) {
    message.destroy();
    throw tooLarge(limits.maxBytes);
  }
  const body = packing === null ? message : unpackedBody(message, packing, limits);
  return new Response(limitedBody(body, limits), init);
}

/** Options of the guard. */
interface GuardedFetchOptions {
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
  /** The maximum number of redirects of this call. Default: the guard's. */
  maxRedirects?: number;
  /** Whether the answer is packed as it says. Otherwise its first bytes tell. Default true. */
  trustsPacking?: boolean;
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
  const limit = new TimeLimit(timeoutMs, () =>
    abort.abort(new GuardedFetchError("timeout", "The call took too long.")),
  );
  return {
    signal: abort.signal,
    end() {
      limit.end();
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

  async function follow(
    first: Hop,
    { idleTimeoutMs, maxHops }: { idleTimeoutMs: number; maxHops: number },
    signal: AbortSignal,
  ) {
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const addresses = await callableAddresses(hop.url.hostname, allowPrivate, resolve);
      signal.throwIfAborted();
      const message = await sendPinned(hop, { addresses, agents, idleTimeoutMs, signal });
      const status = message.statusCode ?? 0;
      const { location: target } = message.headers;
      if (!redirectStatuses.has(status) || target === undefined) return { message, url: hop.url };
      message.destroy();
      if (redirects === maxHops)
        throw new GuardedFetchError(
          "too_many_redirects",
          `The address redirects more than ${maxHops} times.`,
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
      const { idleTimeoutMs = timeoutMs, maxRedirects: maxHops = maxRedirects } = request;
      const { message, url } = await follow(first, { idleTimeoutMs, maxHops }, limit.signal);
      const { trustsPacking = true } = request;
      const limits = { maxBytes, trustsPacking, signal: limit.signal, onEnd: () => limit.end() };
      const response = limitedResponse(message, limits);
      // As with `fetch`: where the answer came from, after redirects.
      return Object.defineProperty(response, "url", { value: url.href });
    } catch (error) {
      limit.end();
      throw error;
    }
  };
}
