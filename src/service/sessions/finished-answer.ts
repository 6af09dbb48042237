import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";

const finish: LlmStreamEvent = { status: "success", type: "finish", role: "assistant", content: "" };

/** Whether the stream ends with this event: an error, a tool call that the client runs, or the model's own `finish`. */
function isEnd(event: LlmStreamEvent): boolean {
  return (
    event.status === "error" ||
    event.type === "finish" ||
    (event.type === "tool_call" && event.role === "assistant")
  );
}

/**
 * The answer, followed by a `finish` event if it is complete and has none of its own (wire conventions, Language model stream). An aborted answer has no
 * `finish`, so a client can tell the two apart.
 */
export async function* finishedAnswer(
  events: AsyncIterable<LlmStreamEvent>,
  signal: AbortSignal,
): AsyncGenerator<LlmStreamEvent> {
  let isEnded = false;
  for await (const event of events) {
    isEnded = isEnd(event);
    yield event;
  }
  if (!isEnded && !signal.aborted) yield finish;
}

/** The answer, with an action that runs once when it ends: complete, failed, or abandoned by its reader. */
export async function* untilOver(
  events: AsyncIterable<LlmStreamEvent>,
  whenOver: () => void,
): AsyncGenerator<LlmStreamEvent> {
  try {
    yield* events;
  } finally {
    whenOver();
  }
}
