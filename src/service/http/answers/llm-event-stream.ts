import type { LlmStreamEvent } from "../../../protocol/llm-stream.ts";
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
}

/**
 * The events of an answer as bytes. Resolves after the first event, so that an error before it is answered with an error
 * status instead of a stream. When the client cancels the stream, nothing that the model does afterwards is written or
 * counted as a failure.
 */
export async function llmEventStream(
  answer: AsyncIterable<LlmStreamEvent>,
  { end, abort, log }: StreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const events = answer[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = Promise.resolve(await events.next());
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const write = (event: LlmStreamEvent) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}${end}`));
      const step = await next.catch((error: unknown) => ({ error }));
      if (isCancelled) return;
      if ("error" in step) {
        log.error("language model failed while answering", { error: String(step.error) });
        write(engineFault);
        controller.close();
      } else if (step.done) {
        controller.close();
      } else {
        write(step.value);
        next = events.next();
        // The next pull handles a rejection; until then it must not count as unhandled.
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
