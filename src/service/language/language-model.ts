import type { LlmRequest, LlmStreamEvent } from "../../protocol/llm-stream.ts";

/** One turn that a language model is asked for. */
export interface Turn extends LlmRequest {
  /** The session's own system prompt: instructions, then whatever documents were given. */
  systemPrompt: string;
  locale?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A language model: answers a turn as a stream of events (wire conventions, Language model stream). Message pieces are
 * cut at natural speaking boundaries. Faults are thrown before the first event, and sent as an error event after.
 */
export interface LanguageModel {
  answer(turn: Turn): AsyncIterable<LlmStreamEvent>;
}
