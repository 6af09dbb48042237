import type { Hono } from "hono";
import { llmRequestSchema } from "../../protocol/llm-stream.ts";
import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { withChatContents } from "./chat-history.ts";
import { readLiveSessionFields } from "./session-body.ts";
import { pathPart, route } from "./routing.ts";
import { validated } from "./validation.ts";

interface Framing {
  /** What ends an event: a blank line where the client asks for the standard's framing, else one line end. */
  end: "\n\n" | "\n";
}

function framingFor(accept: string | undefined): Framing {
  return { end: accept?.toLowerCase().includes("text/event-stream") ? "\n\n" : "\n" };
}

const engineFault: LlmStreamEvent = { status: "error", reason: "The language model failed." };

/**
 * The events of an answer as bytes. The first has been awaited already, so that a fault before it becomes an error
 * status and not a stream. A stream that the client has cancelled is closed: what the model's work comes to after that is
 * neither written nor a failure.
 */
function eventStream(
  first: IteratorResult<LlmStreamEvent>,
  rest: AsyncIterator<LlmStreamEvent>,
  { end }: Framing,
  abort: AbortController,
  log: Log,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<LlmStreamEvent>> = Promise.resolve(first);
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
        next = rest.next();
        // A rejection is met by the next pull; until then it must not count as unhandled.
        next.catch(() => undefined);
      }
    },
    cancel() {
      isCancelled = true;
      abort.abort();
      // What is being awaited ends by the signal; this lets go of what waits to go on.
      rest.return?.().catch(() => undefined);
    },
  });
}

/** The language model's stream (wire conventions, Language model stream). */
export function llmRoutes(app: Hono, sessions: Sessions, log: Log): void {
  route(app, "/api/v1/session/:session/llm/v2/", {
    POST: async (context) => {
      const { fields } = await readLiveSessionFields(context, sessions, {
        form: { structures: ["messages", "tools", "variables"] },
      });
      const turn = validated(llmRequestSchema, withChatContents(fields));
      const abort = new AbortController();
      // The client may go away before there is a stream to be cancelled.
      const signal = AbortSignal.any([abort.signal, context.req.raw.signal]);
      const answer = await sessions.answer(pathPart(context, "session"), turn, signal);
      const events = answer[Symbol.asyncIterator]();
      const first = await events.next();
      const stream = eventStream(first, events, framingFor(context.req.header("accept")), abort, log);
      return context.body(stream, 200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-cache",
        // Proxies that buffer answers would hold back the first sentence.
        "X-Accel-Buffering": "no",
      });
    },
  });
}
