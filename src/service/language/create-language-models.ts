import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { GuardedFetch } from "../guarded-fetch.ts";
import type { Log } from "../log.ts";
import type { CatalogueRow } from "../store/store.ts";
import { createChatModel } from "./chat-model.ts";
import { readChatSettings } from "./chat-settings.ts";
import { keepDocumentIndexes, withDocuments } from "./document-passages.ts";
import { createInteractiveAgent } from "./interactive-agent.ts";
import type { LanguageModel, ToolServer } from "./language-model.ts";
import { createMcpConnections } from "./mcp-connections.ts";
import { withMcpTools } from "./mcp-toolbox.ts";
import { createRetrievalResponder } from "./retrieval-responder.ts";
import { spokenEvents } from "./spoken-stream.ts";

/** What language models are made from. */
export interface LanguageModelDependencies {
  log: Log;
  /** Calls the addresses of engines that the operator set up, private ones too. Default: the platform's. */
  fetch?: typeof fetch;
  /** Calls the addresses that tenants configure. */
  guardedFetch: GuardedFetch;
  /** Where `api_key_env` is looked up. Default: the process's own. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** The language models of catalogue rows. */
export interface LanguageModels {
  /** The model of an LLM type; null when its settings make no usable engine. */
  model(row: CatalogueRow<"llm_type">): LanguageModel | null;
  /** The agent of an interactive agent config; null likewise. */
  agent(row: CatalogueRow<"interactive_agent_config">): LanguageModel | null;
  /** Ends connections to tool servers. */
  close(): Promise<void>;
}

/** A stream of tool results may stay open as long as its connection is kept. */
const toolStreamMs = 15 * 60_000;

/** Cuts what is going to be spoken. */
function spoken(model: LanguageModel): LanguageModel {
  return { answer: (turn) => (turn.speaks ? spokenEvents(model.answer(turn)) : model.answer(turn)) };
}

/** Makes the language models that catalogue rows describe. */
export function createLanguageModels(dependencies: LanguageModelDependencies): LanguageModels {
  const { log, guardedFetch, environment = process.env } = dependencies;
  const engineFetch = dependencies.fetch ?? fetch;
  const guarded: FetchLike = (url, init) =>
    guardedFetch(url, { ...(init as Parameters<GuardedFetch>[1]), timeoutMs: toolStreamMs });
  const fetchFor = ({ trusted }: ToolServer): FetchLike => (trusted ? engineFetch : guarded);
  const connections = createMcpConnections(fetchFor);
  const indexOf = keepDocumentIndexes();
  const retrieval = createRetrievalResponder(indexOf);
  return {
    model({ body: { service }, engine }) {
      if (service === "visavis") return retrieval;
      const settings = readChatSettings(service, engine, environment);
      if (!settings) return null;
      const chat = createChatModel(settings, { fetch: engineFetch, log });
      return spoken(withDocuments(withMcpTools(chat, connections, log), indexOf));
    },
    agent(row) {
      const agent = createInteractiveAgent(row, { fetch: engineFetch, guardedFetch, log });
      return agent && spoken(agent);
    },
    close: () => connections.close(),
  };
}
