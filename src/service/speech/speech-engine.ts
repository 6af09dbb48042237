import * as z from "zod";
import type { EngineDefinition, EngineEntry, EngineMachine } from "../engines/engine.ts";
import type { GuardedFetch } from "../outbound/guarded-fetch.ts";
import type { AudioProcessor } from "./audio/audio-processor.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";

/** The fields of a TTS or STT type that engines use. */
export interface SpeechBody {
  service: string;
  model?: string | null;
  voice?: string | null;
  voice_settings?: unknown;
}

/** A TTS or STT type as its engine gets it. */
export type SpeechEntry<Settings> = EngineEntry<SpeechBody, Settings>;

/** What engines need to create recognizers. */
export interface RecognizerContext {
  environment: EngineMachine["environment"];
  /** Calls the address of the entry. */
  fetch: GuardedFetch;
  /** The URL of a worker script or process script, by its file name without extension. */
  scriptUrl(name: string): URL;
}

/** What engines need to create synthesizers. */
export interface SynthesizerContext extends RecognizerContext {
  /** Decodes audio files, and finds words and visemes in speech without timings. */
  audio: AudioProcessor;
  /** The Flite engine, which the service always runs. */
  flite: SpeechSynthesizer;
}

/** An engine that speaks, recognizes speech, or does both. */
export interface SpeechEngine<Settings = unknown> extends EngineDefinition<SpeechBody, Settings> {
  /** Null when something that the engine needs is missing: its program, model or key. */
  createSynthesizer?(entry: SpeechEntry<Settings>, context: SynthesizerContext): SpeechSynthesizer | null;
  /** Null in the same cases. */
  createRecognizer?(entry: SpeechEntry<Settings>, context: RecognizerContext): SpeechRecognizer | null;
}

/** How long one request to an engine may take, in s. */
export const timeoutSecSchema = z.number().positive().max(600).default(60);

/** The language of a recognizer's model, as reported in responses. */
export const modelLocaleSchema = z.string().max(35).nullable().default(null);
