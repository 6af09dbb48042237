import type { Clock } from "../clock.ts";
import type { Counter } from "../../protocol/counter.ts";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { LanguageModel } from "../language/language-model.ts";
import type { Logger } from "../../logging/logger.ts";
import type { ServiceMetrics } from "../metrics/metrics.ts";
import type { MediaEngine } from "../media/media-engine.ts";
import type { TextNormalizer } from "../normalization/text-normalizer.ts";
import type { ServiceSettings } from "../service-settings.ts";
import type { AudioProcessor } from "../speech/audio/audio-processor.ts";
import type { SpeechRecognizer } from "../speech/speech-recognizer.ts";
import type { SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
import type { SessionNotices } from "./life/session-notices.ts";
import type { WebhookEvents } from "../webhooks/webhook-events.ts";
import type { CatalogueRow, FileStore, Store } from "../store/store.ts";

/** Dependencies of the session operations. */
export interface SessionDependencies {
  clock: Clock;
  notices: SessionNotices;
  store: Store;
  files: FileStore;
  media: MediaEngine;
  /** The engine of a TTS type; null when it is not available. */
  synthesizer: (row: CatalogueRow<"tts_type">) => SpeechSynthesizer | null;
  /** The engine of an STT type; null when it is not available. */
  recognizer: (row: CatalogueRow<"stt_type">) => SpeechRecognizer | null;
  /** Reads audio files, and estimates timings for speech that comes without them. */
  audio: AudioProcessor;
  /** The engine of an LLM type; null when it is not available. */
  languageModel: (row: CatalogueRow<"llm_type">) => LanguageModel | null;
  outbound: OutboundCalls;
  /** The external agent of an interactive agent config; null when it is not available. */
  interactiveAgent: (row: CatalogueRow<"interactive_agent_config">) => LanguageModel | null;
  /** Rewrites texts before speech and after recognition. */
  normalizer: TextNormalizer;
  /** Counts requests and the engine use of sessions. */
  counter: Counter;
  log: Logger;
  metrics: ServiceMetrics;
  settings: ServiceSettings;
  /** Tells owners of events. */
  webhooks: WebhookEvents;
}
