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

/** A stressed word of an utterance: times in ms from its beginning, strength 0.4…1. */
export interface TimedAccent {
  readonly start: number;
  readonly end: number;
  readonly strength: number;
}

/** How loud an utterance is over time: one value for each `loudnessStepMs`, from 0 (silent) to 1 (its loudest parts). */
export type Loudness = readonly number[];

/** The mouth shapes and words of an utterance, with their times. */
export interface SpeechTimeline {
  readonly visemes: readonly TimedViseme[];
  readonly words: readonly TimedWord[];
  /** Without it, every part counts as equally loud. */
  readonly loudness?: Loudness | undefined;
  /** The stressed words. Without them they are chosen from the words. */
  readonly accents?: readonly TimedAccent[] | undefined;
}
