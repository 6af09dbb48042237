import { EngineError } from "./engine-error.ts";
import { eventPayloads } from "./event-payloads.ts";
import { untilAborted } from "./until-aborted.ts";

/** Time limits of an engine, in ms: until the first byte of its answer, between two bytes, and for the whole answer. */
export interface EngineLimits {
  firstByteMs: number;
  idleMs: number;
  totalMs: number;
}

/** The limits of engines whose settings set none. */
export const defaultEngineLimits: EngineLimits = {
  firstByteMs: 10_000,
  idleMs: 15_000,
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
export interface EngineRequest {
  fetch: EngineFetch;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
  limits: EngineLimits;
  signal?: AbortSignal | undefined;
}

/** An answer that is being received. */
export interface EngineAnswer {
  payloads: AsyncIterable<string>;
  /** All needed data has arrived. Waits at most this long for the end of the stream, so that the connection can be reused. */
  limitRest(restMs: number): void;
}

/** The time limits of one answer: its signal is aborted when one is exceeded. */
class AnswerTimeout {
  readonly #abort = new AbortController();
  #next: NodeJS.Timeout;
  #whole: NodeJS.Timeout;

  constructor({ firstByteMs, totalMs }: EngineLimits) {
    this.#next = this.#endIn(firstByteMs);
    this.#whole = this.#endIn(totalMs);
  }
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** Limits the wait for the next bytes. */
  limitNext(limitMs: number): void {
    clearTimeout(this.#next);
    this.#next = this.#endIn(limitMs);
  }
  /** Limits the wait for all remaining data. */
  limitRest(limitMs: number): void {
    clearTimeout(this.#whole);
    this.#whole = this.#endIn(limitMs);
  }
  end(): void {
    clearTimeout(this.#next);
    clearTimeout(this.#whole);
  }
  #endIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#abort.abort(), ms);
  }
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
  await response.body?.cancel().catch(() => undefined);
  throw response.ok ? new EngineError("not_understood") : EngineError.ofStatus(response.status);
}

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
      received = true;
      yield chunk;
    }
  }

  async function* payloads(): AsyncGenerator<string> {
    timeout = new AnswerTimeout(limits);
    try {
      yield* eventPayloads(chunks(timeout));
    } catch (cause) {
      if (turn?.aborted) return;
      if (timeout.signal.aborted) throw new EngineError("too_slow", { cause });
      if (cause instanceof EngineError) throw cause;
      throw new EngineError(received ? "broken_off" : "unreachable", { cause });
    } finally {
      timeout.end();
    }
  }

  return { payloads: payloads(), limitRest: (restMs) => timeout?.limitRest(restMs) };
}
