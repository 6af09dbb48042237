import type { TimedViseme, TimedWord } from "../../protocol/speech/speech.ts";

/** A text to speak, and the engine's voice for it. */
export interface SpeechRequest {
  text: string;
  /** Voice name of the engine, such as `slt`. */
  voice: string;
  locale?: string | undefined;
  /** How fast and how high it is spoken, 0.5 to 2; 1 is the voice's own. */
  rate?: number | undefined;
  pitch?: number | undefined;
  /** Whether to return an MP3 file in addition to the samples. Engines that cannot make one ignore this. */
  mp3?: boolean | undefined;
  /** The session of the request: engines serve sessions in turn. Default: the service itself. */
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An utterance: mono PCM with the times of its words and mouth shapes (ms from the first sample). */
export interface Speech {
  sampleRateHz: number;
  pcm: Int16Array;
  words: TimedWord[];
  visemes: TimedViseme[];
  /** The MP3 file that the samples were decoded from, if it was requested and the engine supports it. */
  mp3?: Uint8Array;
}

/**
 * A speech engine. Throws SpeechError: `unspeakable_text`, `text_too_long`, `engine_failed`, or `rate_limited` when too many
 * requests of the session are waiting.
 */
export interface SpeechSynthesizer {
  /** Whether it keeps its latest speech, so that a request made ahead causes no extra work later. Default: no. */
  readonly remembers?: boolean;
  /**
   * Starts what takes long before the first speech, once, because somebody will probably speak soon. An engine that keeps its
   * latest speech also speaks `first`, which will probably be asked for first. Does not throw.
   */
  prepare?(first?: SpeechRequest): void;
  /** Prepares in the background for a text that will probably be spoken soon. */
  expect?(text: string): void;
  synthesize(request: SpeechRequest): Promise<Speech>;
  /** The names of its voices. */
  readonly voices: readonly string[];
  close(): Promise<void>;
}
