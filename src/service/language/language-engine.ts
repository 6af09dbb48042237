import type { EngineDefinition, EngineEntry, EngineMachine } from "../engine.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import type { Logger } from "../../logging/logger.ts";
import type { LanguageModel } from "./language-model.ts";
import type { DocumentIndexes } from "./passages/document-passages.ts";
import type { EngineFetch } from "./streaming/engine-stream.ts";

/** The fields of an LLM type or interactive agent config that engines use. */
export interface LanguageBody {
  name: string;
  /** Only in LLM types. */
  service?: string;
}

/** An LLM type or interactive agent config as its engine gets it. */
export type LanguageEntry<Settings> = EngineEntry<LanguageBody, Settings>;

/** What engines need to create language models. */
export interface LanguageContext {
  log: Logger;
  /** Calls the addresses of engines that the operator configured, including private ones. */
  fetch: EngineFetch;
  /** Calls the addresses that tenants configure. */
  guardedFetch: GuardedFetch;
  environment: EngineMachine["environment"];
  /** The indexes of documents, shared by all engines. */
  indexOf: DocumentIndexes;
}

/** An engine that answers turns. */
export interface LanguageEngine<Settings = unknown> extends EngineDefinition<LanguageBody, Settings> {
  /** Null when the engine's address or key is missing. */
  create(entry: LanguageEntry<Settings>, context: LanguageContext): LanguageModel | null;
}
