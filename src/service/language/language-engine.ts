import type { EngineDefinition, EngineEntry, EngineMachine } from "../engines/engine.ts";
import type { GuardedFetch } from "../outbound/guarded-fetch.ts";
import type { Logger } from "../../logging/logger.ts";
import type { LanguageModel } from "./language-model.ts";
import type { UnitIndexes } from "../knowledge/matching/unit-index.ts";
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
  /** Calls the address of the entry as that of an engine. */
  fetch: EngineFetch;
  /** Calls it as any other address, which is public if nothing else is configured. */
  guardedFetch: GuardedFetch;
  environment: EngineMachine["environment"];
  /** The indexes of documents, shared by all engines. */
  indexOf: UnitIndexes;
}

/** An engine that answers turns. */
export interface LanguageEngine<Settings = unknown> extends EngineDefinition<LanguageBody, Settings> {
  /** Null when the engine's address or key is missing. */
  create(entry: LanguageEntry<Settings>, context: LanguageContext): LanguageModel | null;
}
