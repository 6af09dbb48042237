import { llmStreamEventSchema, type LlmStreamEvent } from "../protocol/llm-stream.ts";
import { readEventLines } from "./event-lines.ts";
import { VisavisError } from "./visavis-error.ts";

/** The first byte of an answer, and then each next one, is to come within so many ms. */
const firstByteLimitMs = 10_000;
const idleLimitMs = 15_000;

const brokenOff = "The answer broke off. Ask again.";

type StreamedAnswer = Exclude<LlmStreamEvent, { status: "error" } | { type: "finish" }>;

/** Relays whose answers have ended with `finish` before: from them, an end without it is a cut. Other services send none. */
const finishing = new Set<string>();

/**
 * Asks and reads the answer's events; `finish` ends them. Malformed and unknown events are passed over. Throws
 * VisavisError: what the request throws; `engine_failed` when the model reports an error or falls silent, or when the stream
 * of a service that is known to send `finish` ends without it, and without a call for the client.
 */
export async function* streamAnswer(
  ask: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<StreamedAnswer> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), firstByteLimitMs);
  try {
    const response = await ask(AbortSignal.any([signal, silence.signal]));
    if (!response.body) throw new VisavisError("invalid_response", "The answer has no content.");
    const relay = response.url.split("/embed/", 1)[0]!;
    let isOpen = true;
    for await (const line of readEventLines(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), idleLimitMs);
      const event = parseEvent(line);
      if (event?.status === "error") throw new VisavisError("engine_failed", event.reason);
      if (event?.type === "finish") {
        finishing.add(relay);
        return;
      }
      if (!event) continue;
      // A stream may end after a call that the client is to run.
      isOpen = event.type === "message" || event.role === "tool";
      yield event;
    }
    if (isOpen && finishing.has(relay)) throw new VisavisError("engine_failed", brokenOff);
  } catch (error) {
    if (silence.signal.aborted)
      throw new VisavisError("engine_failed", "The answer stopped coming. Ask again.", error);
    throw VisavisError.from(error, "engine_failed", brokenOff);
  } finally {
    clearTimeout(timer);
  }
}

function parseEvent(line: string): LlmStreamEvent | undefined {
  try {
    return llmStreamEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
