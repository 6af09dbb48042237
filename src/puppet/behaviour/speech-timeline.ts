import type { Viseme } from "../viseme.ts";

/** A mouth shape of an utterance; times in ms from its beginning. */
export interface TimedViseme {
  readonly viseme: Viseme;
  readonly start: number;
  readonly end: number;
}

/** A word of an utterance; times in ms from its beginning. */
export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What an utterance looks like in time. */
export interface SpeechTimeline {
  readonly visemes: readonly TimedViseme[];
  readonly words: readonly TimedWord[];
}
