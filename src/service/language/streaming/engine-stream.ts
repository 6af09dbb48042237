import { EngineError, type EngineErrorCode } from "./engine-error.ts";
import { type EnginePayload, eventPayloads } from "./event-payloads.ts";
import { TimeLimit } from "../../../timing/time-limit.ts";
import { wordsOfBody } from "../../outbound/server-words.ts";

/**
 * The chunks of a body. Throws the signal's reason when it is aborted, and ends the call then, or when its reader stops early.
 *
 * `fetch` does not do it for us: the one of Node 20 forgets its signal at the next collection of garbage, if redirects are refused
 * and the headers have come. The call would go on for as long as the other side holds it.
 */
async function* untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Time limits of an engine, in ms: until the first byte of its answer, between two bytes, and from the first byte to the last. */
export interface EngineLimits {
  firstByteMs: number;
  idleMs: number;
  totalMs: number;
}

/** The limits of engines whose settings set none. */
export const defaultEngineLimits: EngineLimits = {
  // A model on a machine of one's own is loaded first, and many think before they write.
  firstByteMs: 60_000,
  idleMs: 30_000,
  totalMs: 300_000,
};

/** The function that calls an engine, such as the platform's `fetch`. */
export type EngineFetch = (
  url: string,
  request: {
    method: string;
    headers: Record<string, string>;
    body: string;
    redirect: "error";
    signal: AbortSignal;
  },
) => Promise<Response>;

/** A request to an engine that answers with Server-Sent Events. */
interface EngineRequest {
  fetch: EngineFetch;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
  limits: EngineLimits;
  signal?: AbortSignal | undefined;
}

/** An answer that is being received. */
interface EngineAnswer {
  /** Those that arrived together are in one list. */
  payloads: AsyncIterable<EnginePayload[]>;
  /** All needed data has arrived. Waits at most this long for the end of the stream, so that the connection can be reused. */
  limitRest(restMs: number): void;
}

/** The time limits of one answer: its signal is aborted when one is exceeded. */
class AnswerTimeout {
  readonly #abort = new AbortController();
  #next: TimeLimit;
  #whole: TimeLimit | undefined;

  constructor({ firstByteMs }: EngineLimits) {
    this.#next = this.#endIn(firstByteMs);
  }
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** Limits the wait for the next bytes. */
  limitNext(limitMs: number): void {
    this.#next.end();
    this.#next = this.#endIn(limitMs);
  }
  /** Limits the wait for all remaining data. */
  limitRest(limitMs: number): void {
    this.#whole?.end();
    this.#whole = this.#endIn(limitMs);
  }
  end(): void {
    this.#next.end();
    this.#whole?.end();
  }
  #endIn(ms: number): TimeLimit {
    return new TimeLimit(ms, () => this.#abort.abort());
  }
}

/** So much of an error's body is read. */
const errorMaxBytes = 16_384;

/** The beginning of a body, as far as it comes. */
async function beginning(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of untilAborted(body, signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= errorMaxBytes) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

async function ask(
  { fetch, url, headers, body }: EngineRequest,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream", ...headers },
    body: JSON.stringify(body),
    // A redirect could send the key to another server.
    redirect: "error",
    signal,
  });
  if (response.ok && response.body) return response.body;
  const said = response.body ? await beginning(response.body, signal) : "";
  throw response.ok
    ? new EngineError("not_understood")
    : EngineError.ofStatus(response.status, wordsOfBody(said));
}

/** What a call has failed with: a redirect could take the key to another server. */
const connectionFaults: Readonly<Record<string, EngineErrorCode>> = {
  too_many_redirects: "redirected",
  certificate: "certificate",
};
const connectionFault = (error: unknown): EngineErrorCode | undefined =>
  error instanceof Error && "code" in error ? connectionFaults[String(error.code)] : undefined;

/**
 * Calls an engine. The payloads throw an EngineError when it refuses, stops sending or disconnects. They just end when the
 * caller's own signal is aborted. If the reader stops early, the call ends.
 */
export function askEngine(request: EngineRequest): EngineAnswer {
  const { signal: turn, limits } = request;
  let timeout: AnswerTimeout | undefined;
  let received = false;

  async function* chunks(watch: AnswerTimeout): AsyncGenerator<Uint8Array> {
    const signal = turn ? AbortSignal.any([turn, watch.signal]) : watch.signal;
    const body = await ask(request, signal);
    for await (const chunk of untilAborted(body, signal)) {
      watch.limitNext(limits.idleMs);
      if (!received) watch.limitRest(limits.totalMs);
      received = true;
      yield chunk;
    }
  }

  async function* payloads(): AsyncGenerator<EnginePayload[]> {
    timeout = new AnswerTimeout(limits);
    try {
      yield* eventPayloads(chunks(timeout));
    } catch (cause) {
      if (turn?.aborted) return;
      if (timeout.signal.aborted) throw new EngineError("too_slow", { cause });
      if (cause instanceof EngineError) throw cause;
      throw new EngineError(connectionFault(cause) ?? (received ? "broken_off" : "unreachable"), { cause });
    } finally {
      timeout.end();
    }
  }

  return { payloads: payloads(), limitRest: (restMs) => timeout?.limitRest(restMs) };
}
