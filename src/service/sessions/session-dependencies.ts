import type { LlmType, TtsType } from "../../protocol/catalogue.ts";
import type { Clock } from "../clock.ts";
import type { LanguageModel } from "../language/language-model.ts";
import type { Log } from "../log.ts";
import type { MediaEngine } from "../media/media-engine.ts";
import type { ServiceSettings } from "../service-settings.ts";
import type { SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
import type { FileStore, Store } from "../store/store.ts";

/** What sessions are made from. */
export interface SessionDependencies {
  clock: Clock;
  store: Store;
  files: FileStore;
  media: MediaEngine;
  /** The engine of a TTS type; null when it is not available. */
  synthesizer: (type: TtsType) => SpeechSynthesizer | null;
  /** The engine of an LLM type; null when it is not available. */
  languageModel: (type: LlmType) => LanguageModel | null;
  log: Log;
  settings: ServiceSettings;
}
