import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import type { LlmStreamEvent } from "../../src/protocol/answers/llm-stream.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import { createLanguageModels } from "../../src/service/language/create-language-models.ts";
import type { CatalogueKind, CatalogueKinds } from "../../src/service/store/entities/catalogue-store.ts";
import type { ServiceSettings } from "../../src/service/service-settings.ts";
import type { EngineSettings } from "../../src/service/store/store.ts";
import { type Logger, silentLogger } from "../../src/logging/logger.ts";
import { answerEvents } from "./answer-events.ts";
import { type RunningService, runService } from "./service-fixture.ts";

export interface RunningEngines extends RunningService {
  /** Puts an entry into the catalogue, its id and name the same. */
  put<Kind extends CatalogueKind>(
    kind: Kind,
    name: string,
    body: CatalogueKinds[Kind],
    engine?: EngineSettings | null,
  ): Promise<void>;
  /** A language model at an address with the chat completions protocol. */
  putChatModel(name: string, url: string): Promise<void>;
  putPrompt(name: string, fields?: Partial<CatalogueKinds["prompt"]>): Promise<void>;
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
  options: { folder?: string; settings?: ServiceSettings } = {},
): Promise<RunningEngines> {
  const lines: RunningService["lines"] = [];
  const at =
    (level: string): Logger["info"] =>
    (message, fields) =>
      void lines.push({ ...fields, level, message });
  const log: Logger = { ...silentLogger, info: at("info"), warn: at("warn"), error: at("error") };
  const models = createLanguageModels({ log, outbound: createOutboundCalls({ allowPrivate: true }) });
  onTestFinished(() => models.close());
  const run = await runService({
    ...options,
    log,
    languageModel: (row) => models.model(row),
    interactiveAgent: (row) => models.agent(row),
  });
  const put: RunningEngines["put"] = async (kind, name, body, engine = null) => {
    await run.store.catalogue.put({
      kind,
      id: name,
      name,
      organizationId: null,
      createdAtMs: 0,
      body,
      engine,
    });
  };
  return {
    ...run,
    lines,
    put,
    putChatModel: (name, url) =>
      put(
        "llm_type",
        name,
        { name, service: "onpremise" },
        { base_url: url, model: "m1", api_key: "sk-secret" },
      ),
    putPrompt: (name, fields = {}) =>
      put("prompt", name, {
        prompt_id: name,
        name,
        system_prompt: "You sell chairs.",
        description: "",
        require_document: false,
        intro_message: "",
        ...fields,
      }),
    async session(fields) {
      const response = await run.send("POST", "/api/v1/session/", fields);
      const body = (await response.json()) as { session_id?: string };
      if (!body.session_id) throw new Error(JSON.stringify(body));
      return body.session_id;
    },
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
