import type { LlmRequest, LlmStreamEvent } from "../../protocol/llm-stream.ts";
import { Fault } from "../fault.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { findPrompt } from "./session-references.ts";

/**
 * Starts the answer to a turn with the session's own system prompt and language model. Throws a Fault where the session
 * has none.
 */
export async function answerTurn(
  { store, languageModel }: Pick<SessionDependencies, "store" | "languageModel">,
  session: SessionRecord,
  turn: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.llm_type === undefined || request.prompt === undefined)
    throw Fault.invalid("invalid", "This session was created without an llm_type and a prompt.");
  const prompt = await findPrompt(store, session.organizationId, request.prompt);
  const row = await store.catalogue.row("llm_type", session.organizationId, request.llm_type);
  const model = row && languageModel(row);
  if (!prompt || !model) throw Fault.server("The session's language model is not available.");
  return model.answer({ ...turn, systemPrompt: prompt.system_prompt, signal });
}
