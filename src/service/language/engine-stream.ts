import { EngineError } from "./engine-error.ts";
import { eventPayloads } from "./event-payloads.ts";

/** How long an engine may take, in ms: until the first byte of its answer, between any two, and in all. */
export interface EngineLimits {
  firstByteMs: number;
  idleMs: number;
  totalMs: number;
}

/** What engines get where their settings say nothing. */
export const defaultEngineLimits: EngineLimits = {
  firstByteMs: 10_000,
  idleMs: 15_000,
  totalMs: 300_000,
};

/** An engine's call; the platform's `fetch` is one. */
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

/** A question to an engine that answers with Server-Sent Events. */
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
  /** Everything needed has come: the end of the stream is waited for only so long, to keep the connection for later. */
  limitRest(restMs: number): void;
}

/** Watches the clock for one answer: its signal is aborted when something takes too long. */
class Patience {
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
  /** The next bytes may take this long. */
  limitNext(limitMs: number): void {
    clearTimeout(this.#next);
    this.#next = this.#endIn(limitMs);
  }
  /** Everything that is still to come may take this long. */
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

async function ask({ fetch, url, headers, body }: EngineRequest, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream", ...headers },
    body: JSON.stringify(body),
    // A redirect could carry the key to somebody else.
    redirect: "error",
    signal,
  });
  if (response.ok && response.body) return response;
  await response.body?.cancel().catch(() => undefined);
  throw response.ok ? new EngineError("not_understood") : EngineError.ofStatus(response.status);
}

/**
 * Asks an engine. The payloads throw an EngineError when it refuses, falls silent or breaks off, and just end when the
 * caller's own signal is aborted. Leaving them early ends the call.
 */
export function askEngine(request: EngineRequest): EngineAnswer {
  const { signal: turn, limits } = request;
  let patience: Patience | undefined;
  let received = false;

  async function* chunks(watch: Patience): AsyncGenerator<Uint8Array> {
    const { body } = await ask(request, turn ? AbortSignal.any([turn, watch.signal]) : watch.signal);
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      watch.limitNext(limits.idleMs);
      received = true;
      yield chunk;
    }
  }

  async function* payloads(): AsyncGenerator<string> {
    patience = new Patience(limits);
    try {
      yield* eventPayloads(chunks(patience));
    } catch (cause) {
      if (turn?.aborted) return;
      if (patience.signal.aborted) throw new EngineError("too_slow", { cause });
      if (cause instanceof EngineError) throw cause;
      throw new EngineError(received ? "broken_off" : "unreachable", { cause });
    } finally {
      patience.end();
    }
  }

  return { payloads: payloads(), limitRest: (restMs) => patience?.limitRest(restMs) };
}
