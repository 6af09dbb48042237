import type { TimedViseme, TimedWord } from "../../protocol/speech.ts";

/** What is to be said, by which of the engine's voices. */
export interface SpeechRequest {
  text: string;
  /** Voice name of the engine, such as `slt`. */
  voice: string;
  locale?: string | undefined;
  /** Whether an MP3 file is wanted beside the samples. Engines that make none take no notice. */
  mp3?: boolean | undefined;
  /** Whom it is said for: engines serve sessions in turn. Default: the service itself. */
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An utterance: mono PCM with the places of its words and mouth shapes (ms from the first sample). */
export interface Speech {
  sampleRateHz: number;
  pcm: Int16Array;
  words: TimedWord[];
  visemes: TimedViseme[];
  /** The MP3 file that the samples were decoded from, where one was asked for and the engine makes such. */
  mp3?: Uint8Array;
}

/** A speech engine. Throws SpeechError: `unspeakable_text`, `text_too_long` `engine_failed`, or `rate_limited` where too much of the session waits. */
export interface SpeechSynthesizer {
  /** Whether it keeps what it said last, so that asking ahead for the same text makes no further work. Default: no. */
  readonly remembers?: boolean;
  /** Takes note of a text whose words are likely to be said soon, and prepares for them while nobody waits. */
  expect?(text: string): void;
  synthesize(request: SpeechRequest): Promise<Speech>;
  /** Names of the voices it has. */
  readonly voices: readonly string[];
  close(): Promise<void>;
}
