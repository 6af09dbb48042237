import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";

/** All events of a model's answer. */
export async function eventsOf(answer: AsyncIterable<LlmStreamEvent>): Promise<LlmStreamEvent[]> {
  const events: LlmStreamEvent[] = [];
  for await (const event of answer) events.push(event);
  return events;
}

export const said = (content: string): LlmStreamEvent => ({
  ...{ status: "success", type: "message", role: "assistant", content },
});

/** What is said in an answer. */
export const textOf = (events: readonly LlmStreamEvent[]): string =>
  events
    .map((event) => (event.status === "success" && event.type === "message" ? event.content : ""))
    .join("");

/** Why an answer has failed. */
export const reasonOf = (events: readonly LlmStreamEvent[]): string =>
  events.map((event) => (event.status === "error" ? event.reason : "")).join("");
