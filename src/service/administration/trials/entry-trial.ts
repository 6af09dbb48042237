import type { Logger } from "../../../logging/logger.ts";
import type { LanguageModel, ToolServer } from "../../language/language-model.ts";
import type { Speech, SpeechSynthesizer } from "../../speech/speech-synthesizer.ts";
import type { SpeechRecognizer, VoiceActivity } from "../../speech/speech-recognizer.ts";
import type { CatalogueKind } from "../../store/entities/catalogue-store.ts";
import type { CatalogueRow } from "../../store/store.ts";
import { toolServerOf } from "../../engines/engine.ts";
import { type LoggedFault, tryModel } from "./model-trial.ts";
import { tryRecognizer, tryToolServer, tryVoice } from "./engine-trials.ts";
import type { Trial } from "./trial.ts";

/** The engines that trials call. They are those that sessions use. */
export interface TrialEngines {
  languageModel(row: CatalogueRow<"llm_type">): LanguageModel | null;
  interactiveAgent(row: CatalogueRow<"interactive_agent_config">): LanguageModel | null;
  synthesizer(row: CatalogueRow<"tts_type">): SpeechSynthesizer | null;
  recognizer(row: CatalogueRow<"stt_type">): SpeechRecognizer | null;
  /** Null when no model for it is installed. */
  voiceActivity: VoiceActivity | null;
  /** The names of a tool server's tools. */
  tools(server: ToolServer): Promise<readonly string[]>;
  /** A recording of an English sentence, for recognizers. */
  sample(signal: AbortSignal): Promise<Pick<Speech, "pcm" | "sampleRateHz">>;
  /** What a language model's engine logged about its last failure. */
  lastFault(): LoggedFault;
}

type TrialOf = {
  [Kind in CatalogueKind]?: (engines: TrialEngines, row: CatalogueRow<Kind>) => Promise<Trial>;
};

/** How an entry of each kind is tried. Kinds that call nothing are missing. */
const trials: TrialOf = {
  llm_type: (engines, row) => tryModel(engines.languageModel(row), engines.lastFault),
  interactive_agent_config: (engines, row) => tryModel(engines.interactiveAgent(row), engines.lastFault),
  tts_type: (engines, row) => tryVoice(engines.synthesizer(row), row.body.voice ?? row.name),
  stt_type: (engines, row) => tryRecognizer(engines.recognizer(row), engines.sample),
  mcp_server: (engines, row) => tryToolServer(engines.tools, toolServerOf(row)),
};

/** Whether entries of a kind can be tried. */
export const canBeTried = (kind: CatalogueKind): boolean => kind in trials;

/** Tries an entry with a real call. Resolves with null for kinds that call nothing. Throws UnknownEngineError. */
export async function tryEntry<Kind extends CatalogueKind>(
  engines: TrialEngines,
  kind: Kind,
  row: CatalogueRow<Kind>,
): Promise<Trial | null> {
  return (await trials[kind]?.(engines, row)) ?? null;
}

/** A log that keeps the reason for a language model's last failure, which visitors must not read, and what its server refused. */
export function faultLog(): { log: Logger; lastFault: TrialEngines["lastFault"] } {
  let last: LoggedFault = { status: null, code: null, says: null, refused: [] };
  const ignore = (): void => undefined;
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    log: {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn(_, { status, code, detail, field } = {}) {
        const refused = text(field);
        last = {
          status: typeof status === "number" ? status : null,
          code: text(code),
          says: text(detail) ?? last.says,
          refused: refused === null ? last.refused : [...last.refused, refused],
        };
      },
    },
    lastFault: () => last,
  };
}
