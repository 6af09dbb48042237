import type { Logger } from "../../../logging/logger.ts";
import type { LanguageModel, ToolServer } from "../../language/language-model.ts";
import type { Speech, SpeechSynthesizer } from "../../speech/speech-synthesizer.ts";
import type { SpeechRecognizer } from "../../speech/speech-recognizer.ts";
import type { VoiceActivity } from "../../speech/voice-activity.ts";
import type { CatalogueKind } from "../../store/catalogue-kinds.ts";
import type { CatalogueRow } from "../../store/store.ts";
import type { EngineFault } from "./engine-faults.ts";
import { tryModel, tryRecognizer, tryToolServer, tryVoice } from "./engine-trials.ts";
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
  lastFault(): Pick<EngineFault, "status" | "code">;
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
  mcp_server: (engines, { body, engine }) =>
    tryToolServer(engines.tools, { ...body, trusted: engine?.["allow_private"] === true }),
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

/** A log that keeps the reason for a language model's last failure, which visitors must not read. */
export function faultLog(): { log: Logger; lastFault: TrialEngines["lastFault"] } {
  let last: Pick<EngineFault, "status" | "code"> = { status: null, code: null };
  const ignore = (): void => undefined;
  return {
    log: {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn(_, { status, code } = {}) {
        last = {
          status: typeof status === "number" ? status : null,
          code: typeof code === "string" ? code : null,
        };
      },
    },
    lastFault: () => last,
  };
}
