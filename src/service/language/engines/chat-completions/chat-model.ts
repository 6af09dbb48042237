import type { ToolDefinition } from "../../../../protocol/llm-request.ts";
import type { LlmStreamEvent } from "../../../../protocol/llm-stream.ts";
import type { Logger } from "../../../../logging/logger.ts";
import { readChatChunk, ToolCallAssembly } from "./chat-chunk.ts";
import { chatMessages } from "./chat-messages.ts";
import type { ChatSettings } from "./chat-settings.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import { askEngine } from "../../streaming/engine-stream.ts";
import type { EngineFetch } from "../../streaming/engine-stream.ts";
import type { LanguageModel, TokenUse, Turn } from "../../language-model.ts";

/** How long to wait for the stream's end after the last words, so that the connection can be reused. */
const restMs = 500;

/** Much longer than any useful answer. */
const answerMaxCharacters = 262_144;

/** Dependencies of a chat model. */
export interface ChatModelDependencies {
  fetch: EngineFetch;
  log: Logger;
}

function toolFields({ tools, withoutTools }: Turn): { tools?: ToolDefinition[]; tool_choice?: "none" } {
  if (tools.length === 0) return {};
  return { tools, ...(withoutTools && { tool_choice: "none" }) };
}

function requestBody({ model, temperature, extraBody }: ChatSettings, turn: Turn): Record<string, unknown> {
  const warmth = turn.temperature ?? temperature;
  return {
    // The last chunk then says how many tokens were used.
    stream_options: { include_usage: true },
    ...extraBody,
    model,
    messages: chatMessages(turn),
    stream: true,
    ...(warmth !== undefined && { temperature: warmth }),
    ...toolFields(turn),
  };
}

async function* completion(
  settings: ChatSettings,
  turn: Turn,
  fetch: ChatModelDependencies["fetch"],
): AsyncGenerator<LlmStreamEvent> {
  const { url, headers, limits } = settings;
  const body = requestBody(settings, turn);
  const answer = askEngine({ fetch, url, headers, body, limits, signal: turn.signal });
  const assembly = new ToolCallAssembly();
  let finished = false;
  let length = 0;
  let use: TokenUse | null = null;
  try {
    for await (const payload of answer.payloads) {
      const chunk = readChatChunk(payload);
      if (!chunk) continue;
      use = chunk.use ?? use;
      length += chunk.text.length;
      if (length > answerMaxCharacters) throw new EngineError("not_understood");
      if (chunk.text) yield { status: "success", type: "message", role: "assistant", content: chunk.text };
      for (const part of chunk.toolCalls) assembly.add(part);
      if (chunk.finished && !finished) answer.limitRest(restMs);
      finished ||= chunk.finished;
    }
  } catch (error) {
    if (!finished) throw error;
  } finally {
    // An answer that was stopped or broken off has its price too.
    if (use !== null) turn.onUse?.(use);
  }
  if (turn.signal?.aborted) return;
  const { calls } = assembly;
  if (!finished) throw new EngineError(length > 0 || calls.length > 0 ? "broken_off" : "not_understood");
  if (length === 0 && calls.length === 0) throw new EngineError("no_answer");
  if (calls.length > 0)
    yield { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: calls };
}

/**
 * A language model with the chat completions protocol, streamed (OpenAI API reference, Create chat completion). After a failure,
 * the text so far is kept, and an error event with a plain reason ends the stream.
 */
export function createChatModel(
  settings: ChatSettings,
  { fetch, log }: ChatModelDependencies,
): LanguageModel {
  return {
    async *answer(turn) {
      try {
        yield* completion(settings, turn, fetch);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const { code, status } = error;
        log.warn("language model fault", { host: new URL(settings.url).host, code, status });
        yield { status: "error", reason: error.message };
      }
    },
  };
}
