import * as z from "zod";
import { headerValueSchema } from "../../../header-value.ts";
import {
  askEngine,
  defaultEngineLimits,
  type EngineFetch,
  type EngineLimits,
} from "../../streaming/engine-stream.ts";
import { type LlmStreamEvent, llmStreamEventSchema } from "../../../../protocol/answers/llm-stream.ts";
import type { GuardedFetch } from "../../../outbound/guarded-fetch.ts";
import type { Logger } from "../../../../logging/logger.ts";
import { EngineError } from "../../streaming/engine-error.ts";
import type { EnginePayload } from "../../streaming/event-payloads.ts";
import type { LanguageModel, Turn } from "../../language-model.ts";
import type { LanguageEngine } from "../../language-engine.ts";
import { allowInEntry, checkOutboundAddress } from "../../../outbound/outbound-address.ts";

const seconds = z.number().positive().max(600);

/** The private settings of an interactive agent config (docs/agents.md). */
export const interactiveAgentSettingsSchema = z.object({
  type: z.literal("interactive-agent").optional(),
  url: z.url({
    protocol: /^https?$/,
    error: "Set the https address that takes the turns, such as https://agent.example/turns.",
  }),
  auth_header: headerValueSchema.optional(),
  /** Allows an address with http or in a private network. */
  allow_private: z.boolean().default(false),
  first_byte_sec: seconds.default(defaultEngineLimits.firstByteMs / 1000),
  idle_sec: seconds.default(defaultEngineLimits.idleMs / 1000),
});

/** How to call an agent server. */
type InteractiveAgentSettings = z.infer<typeof interactiveAgentSettingsSchema>;

/** Dependencies of an interactive agent. */
interface InteractiveAgentDependencies {
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

/** Passes the agent's events on until it ends or reports an error. Events that the protocol does not define are skipped. */
async function* agentEvents(payloads: AsyncIterable<EnginePayload[]>): AsyncGenerator<LlmStreamEvent> {
  let said = false;
  for await (const arrived of payloads)
    for (const { value } of arrived) {
      const event = llmStreamEventSchema.safeParse(value).data;
      if (!event) continue;
      // The service itself reports that an answer is complete.
      if (event.status === "success" && event.type === "finish") {
        if (!said) throw new EngineError("no_answer");
        return;
      }
      said = true;
      yield event;
      if (event.status === "error") return;
    }
  if (!said) throw new EngineError("no_answer");
}

function guardedEngineFetch(guardedFetch: GuardedFetch, limits: EngineLimits): EngineFetch {
  return (url, { method, headers, body, signal }) =>
    guardedFetch(url, {
      ...{ method, headers, body, signal },
      timeoutMs: limits.firstByteMs + limits.totalMs,
    });
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
        log.warn("interactive agent fault", {
          agent: name,
          code: error.code,
          status: error.status,
          detail: error.says,
        });
        turn.onFault?.(error);
        yield { status: "error", reason: error.message };
      }
    },
  };
}

/** An agent server of the operator or a tenant. It answers turns instead of a prompt and a language model. */
export const interactiveAgentEngine: LanguageEngine<InteractiveAgentSettings> = {
  kind: "interactive-agent",
  settingsSchema: interactiveAgentSettingsSchema,
  check({ settings: { url, allow_private } }, { allowPrivateAddresses }) {
    const isTrusted = allow_private || allowPrivateAddresses;
    checkOutboundAddress({ field: "engine.url", address: url, isTrusted, remedy: allowInEntry });
    return [];
  },
  create: ({ body, settings }, context) => createInteractiveAgent(body.name, settings, context),
};
