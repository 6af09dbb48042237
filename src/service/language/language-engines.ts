import { choiceOfSettings, engineOfKind } from "../engines/engine.ts";
import type { EngineSettings } from "../store/store.ts";
import { chatCompletionsEngine } from "./engines/chat-completions/chat-completions-engine.ts";
import { interactiveAgentEngine } from "./engines/interactive-agent/interactive-agent.ts";
import { retrievalEngine } from "./engines/retrieval/retrieval-engine.ts";
import type { LanguageBody, LanguageEngine } from "./language-engine.ts";

/** All engines of LLM types. To add one, create its folder and add a line here. */
const languageEngines: readonly LanguageEngine[] = [retrievalEngine, chatCompletionsEngine];

/** All engines of interactive agent configs. */
const agentEngines: readonly LanguageEngine[] = [interactiveAgentEngine];

/** The engine of an LLM type. Throws UnknownEngineError. */
export function languageEngine({ service }: LanguageBody, settings: EngineSettings | null): LanguageEngine {
  if (service === "visavis") return retrievalEngine;
  return engineOfKind(languageEngines, choiceOfSettings(settings, chatCompletionsEngine.kind));
}

/** The engine of an interactive agent config. Throws UnknownEngineError. */
export function agentEngine(settings: EngineSettings | null): LanguageEngine {
  return engineOfKind(agentEngines, choiceOfSettings(settings, interactiveAgentEngine.kind));
}
