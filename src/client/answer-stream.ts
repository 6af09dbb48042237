import { llmStreamEventSchema, type LlmStreamEvent } from "../protocol/llm-stream.ts";
import { readEventLines } from "./event-lines.ts";
import { VisavisError } from "./visavis-error.ts";

/** Longest wait for the first byte of an answer and for each next one, in ms. */
const firstByteLimitMs = 10_000;
const idleLimitMs = 15_000;
/** Longest wait after the connection came back, in ms: TCP doubles its pauses, so it sends again up to 13 s after a 20 s cut. */
const afterCutLimitMs = 15_000;

const brokenOff = "The answer was interrupted. Ask again.";

type StreamedAnswer = Exclude<LlmStreamEvent, { status: "error" }>;

/** Relays that have ended an answer with `finish`. If one of them ends an answer without it, the answer was cut off. */
const finishing = new Set<string>();

/** Whether the service is reachable, as the connection's messages show. */
export interface LineState {
  /** When messages last resumed after a gap, by `performance.now()`. 0 if there was no gap, infinite during one. */
  readonly backSinceMs: number;
}

/** Limits the wait for the service's next byte. Does not count the time in which the connection was lost. */
class SilenceLimit {
  readonly #line: LineState;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(line: LineState) {
    this.#line = line;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the wait again. */
  start(limitMs: number): void {
    this.stop();
    const startedAtMs = performance.now();
    const check = (): void => {
      const { backSinceMs } = this.#line;
      const endsAtMs = backSinceMs > startedAtMs ? backSinceMs + afterCutLimitMs : startedAtMs + limitMs;
      const leftMs = Math.min(endsAtMs - performance.now(), afterCutLimitMs);
      if (leftMs > 0) this.#timer = setTimeout(check, leftMs);
      else this.#controller.abort();
    };
    check();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Sends the request and reads the answer's events up to `finish`. Ignores malformed and unknown events. Throws VisavisError:
 * what the request throws; `engine_failed` when the model reports an error, when nothing arrives for too long, or when a
 * stream that should end with `finish` ends without it and without a tool call for the client.
 */
export async function* streamAnswer(
  ask: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  line: LineState,
): AsyncGenerator<StreamedAnswer> {
  const silence = new SilenceLimit(line);
  silence.start(firstByteLimitMs);
  try {
    const response = await ask(AbortSignal.any([signal, silence.signal]));
    if (!response.body) throw new VisavisError("invalid_response", "The answer is empty. Ask again.");
    const relay = response.url.split("/embed/", 1)[0] ?? "";
    let isOpen = true;
    for await (const eventLine of readEventLines(response.body)) {
      silence.start(idleLimitMs);
      const event = parseEvent(eventLine);
      if (event?.status === "error") throw new VisavisError("engine_failed", event.reason);
      if (event?.type === "finish") {
        finishing.add(relay);
        yield event;
        return;
      }
      if (!event) continue;
      // A stream may end after a tool call for the client.
      isOpen = event.type === "message" || event.role === "tool";
      yield event;
    }
    if (isOpen && finishing.has(relay)) throw new VisavisError("engine_failed", brokenOff);
  } catch (error) {
    if (silence.signal.aborted)
      throw new VisavisError("engine_failed", "The answer stopped in the middle. Ask again.", error);
    throw VisavisError.from(error, "engine_failed", brokenOff);
  } finally {
    silence.stop();
  }
}

function parseEvent(line: string): LlmStreamEvent | undefined {
  try {
    return llmStreamEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
