import type { LlmRequest, ToolDefinition } from "../../protocol/llm-request.ts";
import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import { Fault } from "../fault.ts";
import { finishedAnswer, untilOver } from "./finished-answer.ts";
import { sessionLanguage } from "./session-language.ts";
import type { LanguageDependencies, SessionLanguage } from "./session-language.ts";
import { turnAttachments } from "./turn-attachments.ts";

/** Tools without duplicate names. On a name clash, the client's tool wins. */
function eachOnce(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.function.name, tool])).values()].toReversed();
}

/** An answer that has begun. */
export interface BegunAnswer {
  readonly events: AsyncIterable<LlmStreamEvent>;
  /** Counts the documents that it was taken from as searched. Called once the turn is certain. */
  noteAsked(): Promise<void>;
}

/**
 * Starts the answer to a turn, with the session's system prompt and language model. A complete answer ends with a `finish` event.
 * Throws a Fault when the session has no language model.
 */
export async function answerTurn(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  asked: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const language = await sessionLanguage(dependencies, session);
  const events = await modelAnswer(dependencies, session, language, asked, signal);
  await language.noteSearches();
  return events;
}

/**
 * Starts an answer that nobody may ever read, and that leaves no trace then. Throws a Fault when the session has no language model,
 * or when its model could change something meanwhile. `beforeModel` runs before the model is asked.
 */
export async function beginAnswer(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  asked: LlmRequest,
  signal: AbortSignal,
  beforeModel: () => Promise<void>,
): Promise<BegunAnswer> {
  const language = await sessionLanguage(dependencies, session);
  if (language.acts)
    throw Fault.invalid(
      "invalid",
      "No answer of this session begins early, because its model may act meanwhile. Ask llm/v2.",
    );
  await beforeModel();
  const events = await modelAnswer(dependencies, session, language, asked, signal);
  return { events, noteAsked: () => language.noteSearches() };
}

async function modelAnswer(
  dependencies: LanguageDependencies,
  session: SessionRecord,
  { model, turn, tools }: SessionLanguage,
  asked: LlmRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<LlmStreamEvent>> {
  const attached = await turnAttachments(dependencies, session, asked.messages, model);
  // An answer that nobody reads any more is aborted, and may never have begun.
  signal.addEventListener("abort", attached.release, { once: true });
  if (signal.aborted) attached.release();
  const answer = model.answer({
    ...asked,
    ...turn,
    tools: eachOnce([...asked.tools, ...tools]),
    attachments: attached.files,
    signal,
  });
  return untilOver(finishedAnswer(answer, signal), attached.release);
}
