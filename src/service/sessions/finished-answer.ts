import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";

const finish: LlmStreamEvent = { status: "success", type: "finish", role: "assistant", content: "" };

/** Whether a stream that ends with this event is over but not complete: a fault, or a call that the client is to run. */
function endsOtherwise(event: LlmStreamEvent): boolean {
  return event.status === "error" || (event.type === "tool_call" && event.role === "assistant");
}

/**
 * The answer with `finish` as its last event where it is complete (wire conventions, Language model stream). An answer that
 * was aborted has none, so that a client can tell it from a complete one.
 */
export async function* finishedAnswer(
  events: AsyncIterable<LlmStreamEvent>,
  signal: AbortSignal,
): AsyncGenerator<LlmStreamEvent> {
  let isComplete = true;
  for await (const event of events) {
    isComplete = !endsOtherwise(event);
    yield event;
  }
  if (isComplete && !signal.aborted) yield finish;
}

/** The answer, with something that is done once it is over: complete, failed, or left by whoever read it. */
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
