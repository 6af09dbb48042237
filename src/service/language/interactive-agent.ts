import { llmStreamEventSchema } from "../../protocol/llm-stream.ts";
import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import type { Log } from "../log.ts";
import type { CatalogueRow } from "../store/store.ts";
import { EngineError } from "./engine-error.ts";
import { askEngine, defaultEngineLimits } from "./engine-stream.ts";
import type { EngineFetch, EngineLimits } from "./engine-stream.ts";
import { interactiveAgentSettingsSchema } from "./interactive-agent-settings.ts";
import type { LanguageModel, Turn } from "./language-model.ts";

/** What an agent is called with. */
export interface InteractiveAgentDependencies {
  fetch: EngineFetch;
  guardedFetch: GuardedFetch;
  log: Log;
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

/** Passes on what the agent says until it ends or reports an error. What is no event of the protocol is passed over. */
async function* agentEvents(payloads: AsyncIterable<string>): AsyncGenerator<LlmStreamEvent> {
  let said = false;
  for await (const payload of payloads) {
    const event = readEvent(payload);
    if (!event) continue;
    // The service says itself that an answer is complete.
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
 * The external agent server of a config (docs/agents.md), which answers turns in place of a prompt and a language model;
 * null when its settings do not say where it is.
 */
export function createInteractiveAgent(
  { name, engine }: CatalogueRow<"interactive_agent_config">,
  { fetch, guardedFetch, log }: InteractiveAgentDependencies,
): LanguageModel | null {
  const parsed = interactiveAgentSettingsSchema.safeParse(engine);
  if (!parsed.success) return null;
  const { url, auth_header, allow_private, first_byte_sec, idle_sec } = parsed.data;
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
