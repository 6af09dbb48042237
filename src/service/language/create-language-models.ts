import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { GuardedFetch } from "../guarded-fetch.ts";
import type { Logger } from "../../logging/logger.ts";
import type { CatalogueRow, EngineSettings } from "../store/store.ts";
import type { LanguageBody, LanguageEngine } from "./language-engine.ts";
import { agentEngine, languageEngine } from "./language-engines.ts";
import { keepDocumentIndexes, withDocuments } from "./passages/document-passages.ts";
import type { LanguageModel, ToolServer } from "./language-model.ts";
import { createMcpConnections } from "./mcp/mcp-connections.ts";
import { withMcpTools } from "./mcp/mcp-toolbox.ts";
import { spokenEvents } from "./streaming/spoken-stream.ts";

/** Dependencies of language models. */
export interface LanguageModelDependencies {
  log: Logger;
  /** Calls the addresses of engines that the operator configured, including private ones. Default: the platform's `fetch`. */
  fetch?: typeof fetch;
  /** Calls the addresses that tenants configure, with the guard against requests into private networks. */
  guardedFetch: GuardedFetch;
  /** Where `api_key_env` is looked up. Default: the environment of the process. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** The language models of catalogue rows. */
export interface LanguageModels {
  /** The model of an LLM type; null when its settings are invalid or something is missing. Throws UnknownEngineError. */
  model(row: CatalogueRow<"llm_type">): LanguageModel | null;
  /** The agent of an interactive agent config; null and errors as for a model. */
  agent(row: CatalogueRow<"interactive_agent_config">): LanguageModel | null;
  /** The names of a tool server's tools. Rejects when it cannot be reached. */
  tools(server: ToolServer): Promise<readonly string[]>;
  /** Closes connections to tool servers. */
  close(): Promise<void>;
}

/** A stream of tool results may stay open as long as its connection. */
const toolStreamMs = 15 * 60_000;

/** Splits answers that will be spoken at natural boundaries. */
function spoken(model: LanguageModel): LanguageModel {
  return { answer: (turn) => (turn.speaks ? spokenEvents(model.answer(turn)) : model.answer(turn)) };
}

/** Creates the language models of catalogue rows. */
export function createLanguageModels(dependencies: LanguageModelDependencies): LanguageModels {
  const { log, guardedFetch, environment = process.env } = dependencies;
  const engineFetch = dependencies.fetch ?? fetch;
  const guarded: FetchLike = (url, init) => guardedFetch(url, { ...init, timeoutMs: toolStreamMs });
  const fetchFor = ({ trusted }: ToolServer): FetchLike => (trusted ? engineFetch : guarded);
  const connections = createMcpConnections(fetchFor);
  const context = { log, fetch: engineFetch, guardedFetch, environment, indexOf: keepDocumentIndexes() };
  const builtIn = new Map<string, LanguageModel | null>();

  function create(engine: LanguageEngine, body: LanguageBody, given: EngineSettings | null) {
    const known = builtIn.get(engine.kind);
    if (known !== undefined) return known;
    const parsed = engine.settingsSchema.safeParse(engine.isBuiltIn ? {} : (given ?? {}));
    const model = parsed.success ? engine.create({ body, settings: parsed.data }, context) : null;
    if (engine.isBuiltIn) builtIn.set(engine.kind, model);
    return model;
  }

  return {
    model({ body, engine }) {
      const model = create(languageEngine(body, engine), body, engine);
      if (!model || model.quotesOnly) return model;
      return {
        ...spoken(withDocuments(withMcpTools(model, connections, log), context.indexOf)),
        takesAttachments: model.takesAttachments,
      };
    },
    agent({ body, engine }) {
      const agent = create(agentEngine(engine), body, engine);
      return agent && spoken(agent);
    },
    tools: async (server) => (await connections.tools(server)).map(({ name }) => name),
    close: () => connections.close(),
  };
}
