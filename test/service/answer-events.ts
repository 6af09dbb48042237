import { llmStreamEventSchema, type LlmStreamEvent } from "../../src/protocol/answers/llm-stream.ts";

/** The events that a language model's answer consists of, read from the response to a question. */
export async function answerEvents(response: Response): Promise<LlmStreamEvent[]> {
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => llmStreamEventSchema.parse(JSON.parse(line.slice("data: ".length))));
}
