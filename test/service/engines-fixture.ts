import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import type { LlmStreamEvent } from "../../src/protocol/answers/llm-stream.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import { createLanguageModels } from "../../src/service/language/create-language-models.ts";
import type { CatalogueKinds } from "../../src/service/store/entities/catalogue-store.ts";
import type { ServiceSettings } from "../../src/service/service-settings.ts";
import type { EngineSettings, Store } from "../../src/service/store/store.ts";
import { jsonOf } from "./answers.ts";
import { answerEvents } from "./answer-events.ts";
import { recordingLog, type RunningService, runService } from "./service-fixture.ts";

export interface RunningEngines extends RunningService {
  /** A language model at an address with the chat completions protocol. */
  putChatModel(name: string, url: string, settings?: EngineSettings): Promise<unknown>;
  putPrompt(name: string, fields?: Partial<CatalogueKinds["prompt"]>): Promise<unknown>;
  /** Creates a session. Resolves with its id, or fails the test. */
  session(fields: Record<string, unknown>): Promise<string>;
  /** The events that answer a question, without the final finish event. */
  ask(session: string, content: string, fields?: Record<string, unknown>): Promise<LlmStreamEvent[]>;
}

/** The text of an answer. */
export function saidBy(events: readonly LlmStreamEvent[]): string {
  return events
    .map((event) => (event.status === "success" && event.type === "message" ? event.content : ""))
    .join("");
}

/** The real service with the real language models. The test decides which servers they call. */
export async function runEngines(
  options: { folder?: string; store?: Store; settings?: ServiceSettings } = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<RunningEngines> {
  const lines: RunningService["lines"] = [];
  const log = recordingLog(lines);
  const models = createLanguageModels({ log, outbound: createOutboundCalls({ allowPrivate: true }) });
  atEnd(() => models.close());
  const run = await runService({
    ...options,
    log,
    languageModel: (row) => models.model(row),
    interactiveAgent: (row) => models.agent(row),
  });
  return {
    ...run,
    lines,
    putChatModel: (name, url, settings = { api_key: "sk-secret" }) =>
      run.put("llm_type", name, { name, service: "onpremise" }, { base_url: url, model: "m1", ...settings }),
    putPrompt: (name, fields = {}) =>
      run.put("prompt", name, {
        prompt_id: name,
        name,
        system_prompt: "You sell chairs.",
        description: "",
        require_document: false,
        intro_message: "",
        ...fields,
      }),
    session: async (fields) =>
      (await jsonOf<{ session_id: string }>(run.send("POST", "/api/v1/session/", fields))).session_id,
    async ask(session, content, fields = {}) {
      const messages = [{ role: "user", content }];
      const path = `/api/v1/session/${session}/llm/v2/`;
      const events = await answerEvents(await run.send("POST", path, { messages, ...fields }));
      return events.filter((event) => event.status === "error" || event.type !== "finish");
    },
  };
}

/** An MCP server's entry. */
export function mcpServerBody(name: string, url: string, authHeader: string): CatalogueKinds["mcp_server"] {
  return {
    mcpserver_id: name,
    name,
    organization: randomUUID(),
    url,
    description: "",
    auth_header: authHeader,
    transport_protocol: "streamable_http",
    server_timeout_sec: 5,
    extra_data: null,
  };
}
