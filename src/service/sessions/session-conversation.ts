import type { LlmRequest, LlmStreamEvent, ToolDefinition } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import { finishedAnswer } from "./finished-answer.ts";
import { sessionLanguage } from "./session-language.ts";
import type { LanguageDependencies } from "./session-language.ts";

/** Tools by their names, each once; the client's own go before others. */
function eachOnce(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.function.name, tool])).values()].toReversed();
}

/**
 * Starts the answer to a turn with the session's own system prompt and language model. An answer that is complete ends
 * with a `finish` event. Throws a Fault where the session has no language model.
 */
export async function answerTurn(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  asked: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const { model, turn, tools } = await sessionLanguage(dependencies, session);
  const answer = model.answer({ ...asked, ...turn, tools: eachOnce([...asked.tools, ...tools]), signal });
  return finishedAnswer(answer, signal);
}
