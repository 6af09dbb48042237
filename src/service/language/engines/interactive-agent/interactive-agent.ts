import { llmStreamEventSchema } from "../../../../protocol/llm-stream.ts";
import type { LlmStreamEvent } from "../../../../protocol/llm-stream.ts";
import type { GuardedFetch } from "../../../guarded-fetch.ts";
import type { Logger } from "../../../../logging/logger.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import { askEngine, defaultEngineLimits } from "../../streaming/engine-stream.ts";
import type { EngineFetch, EngineLimits } from "../../streaming/engine-stream.ts";
import type { InteractiveAgentSettings } from "./interactive-agent-settings.ts";
import type { LanguageModel, Turn } from "../../language-model.ts";

/** Dependencies of an interactive agent. */
export interface InteractiveAgentDependencies {
  fetch: EngineFetch;
  guardedFetch: GuardedFetch;
  log: Logger;
}

function requestBody({ sessionId, messages, tools, locale, variables }: Turn): Record<string, unknown> {
  return {
    session_id: sessionId ?? null,
    messages,
    tools,
    locale: locale ?? null,
    variables: variables ?? {},
  };
}

function readEvent(payload: string): LlmStreamEvent | null {
  try {
    return llmStreamEventSchema.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}

/** Passes the agent's events on until it ends or reports an error. Events that the protocol does not define are skipped. */
async function* agentEvents(payloads: AsyncIterable<string>): AsyncGenerator<LlmStreamEvent> {
  let said = false;
  for await (const payload of payloads) {
    const event = readEvent(payload);
    if (!event) continue;
    // The service itself reports that an answer is complete.
    if (event.status === "success" && event.type === "finish") break;
    said = true;
    yield event;
    if (event.status === "error") return;
  }
  if (!said) throw new EngineError("no_answer");
}

function guardedEngineFetch(guardedFetch: GuardedFetch, { totalMs }: EngineLimits): EngineFetch {
  return (url, { method, headers, body, signal }) =>
    guardedFetch(url, { method, headers, body, signal, timeoutMs: totalMs });
}

/**
 * The agent server of an interactive agent config (docs/agents.md), which answers turns. `name` is the config's name for the log.
 */
export function createInteractiveAgent(
  name: string,
  settings: InteractiveAgentSettings,
  { fetch, guardedFetch, log }: InteractiveAgentDependencies,
): LanguageModel {
  const { url, auth_header, allow_private, first_byte_sec, idle_sec } = settings;
  const limits = { ...defaultEngineLimits, firstByteMs: first_byte_sec * 1000, idleMs: idle_sec * 1000 };
  const engineFetch = allow_private ? fetch : guardedEngineFetch(guardedFetch, limits);
  return {
    async *answer(turn) {
      const { payloads } = askEngine({
        fetch: engineFetch,
        url,
        headers: auth_header === undefined ? {} : { Authorization: auth_header },
        body: requestBody(turn),
        limits,
        signal: turn.signal,
      });
      try {
        yield* agentEvents(payloads);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        if (turn.signal?.aborted) return;
        log.warn("interactive agent fault", { agent: name, code: error.code, status: error.status });
        yield { status: "error", reason: error.message };
      }
    },
  };
}
