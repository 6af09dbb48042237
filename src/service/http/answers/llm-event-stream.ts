import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import type { Logger } from "../../../logging/logger.ts";

/** What ends an event: a blank line where the client accepts event streams by name, else a single line end. */
type EventEnd = "\n\n" | "\n";

/** The framing that a client expects, by its Accept header (wire conventions, Language model stream). */
export function eventEndFor(accept: string | null): EventEnd {
  return accept?.toLowerCase().includes("text/event-stream") ? "\n\n" : "\n";
}

const engineFault: LlmStreamEvent = { status: "error", reason: "The language model failed." };

interface StreamOptions {
  end: EventEnd;
  /** Aborted when the client cancels the stream. */
  abort: AbortController;
  log: Logger;
  /** Default: 5 s. */
  pauseMs?: number;
}

/** How long a stream says nothing at most, in ms. */
const commentMs = 5_000;

/** Waits for a step of the answer, but not longer than one pause. */
async function stepWithin<Step>(step: Promise<Step>, pauseMs: number): Promise<Step | "waiting"> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<"waiting">((resolve) => {
    timer = setTimeout(() => resolve("waiting"), pauseMs);
  });
  return Promise.race([step, pause]).finally(() => clearTimeout(timer));
}

/**
 * The events of an answer as bytes. Resolves after the first event, so that an error before it is answered with an error
 * status instead of a stream, or after a pause. A comment is written in each pause, so that the client and what is between know that
 * the answer is still to come: a model may take minutes to load or to think, and a tool may take long. When the client cancels the
 * stream, nothing that the model does afterwards is written or counted as a failure.
 */
export async function llmEventStream(
  answer: AsyncIterable<LlmStreamEvent>,
  { end, abort, log, pauseMs = commentMs }: StreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const events = answer[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = events.next();
  let isOverdue = (await stepWithin(next, pauseMs)) === "waiting";
  // From here on, the next pull handles a rejection; until then it must not count as unhandled.
  next.catch(() => undefined);
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const write = (event: LlmStreamEvent) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}${end}`));
      // The first comment comes with the headers: the client has waited for a pause already.
      const step = isOverdue
        ? "waiting"
        : await stepWithin(next, pauseMs).catch((error: unknown) => ({ error }));
      isOverdue = false;
      if (isCancelled) return;
      if (step === "waiting") {
        controller.enqueue(encoder.encode(`: waiting${end}`));
      } else if ("error" in step) {
        log.error("language model failed while answering", { error: String(step.error) });
        write(engineFault);
        controller.close();
      } else if (step.done) {
        controller.close();
      } else {
        write(step.value);
        next = events.next();
        next.catch(() => undefined);
      }
    },
    cancel() {
      isCancelled = true;
      abort.abort();
      // The signal ends what is awaited now; this releases a generator that waits to be resumed.
      events.return?.().catch(() => undefined);
    },
  });
}
