import type { TurnSettings } from "../../../protocol/turn-settings.ts";
import { isOpening } from "./opening.ts";
import { isUnfinished } from "./unfinished.ts";

/** When a turn ends, in ms of silence. */
export interface EndpointingSettings {
  /** After a finished clause. */
  readonly finishedMs: number;
  /** After an unfinished one. */
  readonly unfinishedMs: number;
}

/** The pauses that the owner wants. An unfinished clause is never cut off sooner than a finished one. */
export function endpointingOf({ pause_ms, open_pause_ms }: TurnSettings): EndpointingSettings {
  return { finishedMs: pause_ms, unfinishedMs: Math.max(open_pause_ms, pause_ms) };
}

/** How many of the visitor's last pauses are remembered. */
const pausesKept = 8;
/** A visitor's own pauses may raise the wait after a finished clause to this at most, in ms. */
const learnedMaxMs = 1_200;
/** The wait is longer than the visitor's usual pause by this factor. */
const learnedFactor = 1.2;
/** After a greeting or a thanks, people often go on: the wait after it is longer by this factor. */
const openingFactor = 2;
/** Shorter gaps are between words, and say nothing of how somebody pauses. In ms. */
const shortestPauseMs = 250;
/** The time that recognition has before a turn ends, in ms. */
const recognitionMs = 100;

/**
 * Decides how long a silence ends the visitor's turn. It learns from the pauses after which they went on: who pauses within
 * sentences is given more time.
 */
export class Endpointing {
  readonly #settings: EndpointingSettings;
  readonly #locale: string;
  #pausesMs: readonly number[] = [];

  constructor(settings: EndpointingSettings, locale: string) {
    this.#settings = settings;
    this.#locale = locale;
  }

  /** The silence after which the words heard so far are looked at: a little before it may end the turn, so that they are known by then. */
  get lookMs(): number {
    const { finishedMs } = this.#settings;
    return Math.max(finishedMs - recognitionMs, Math.min(finishedMs, shortestPauseMs));
  }

  /** The visitor went on after a pause. */
  learn(pauseMs: number): void {
    if (pauseMs < shortestPauseMs) return;
    this.#pausesMs = [
      ...this.#pausesMs.slice(1 - pausesKept),
      Math.min(pauseMs, this.#settings.unfinishedMs),
    ];
  }

  /** Whether these words are probably all that the visitor wants to say. */
  isLikelyEnd(words: string): boolean {
    return !isUnfinished(words, this.#locale) && !isOpening(words, this.#locale);
  }

  /** The silence that ends a turn of these words. */
  waitMs(words: string): number {
    const { finishedMs, unfinishedMs } = this.#settings;
    if (isUnfinished(words, this.#locale)) return unfinishedMs;
    // One long pause teaches nothing; three out of eight do.
    const usual = this.#pausesMs.toSorted((a, b) => b - a)[2] ?? 0;
    const leastMs = isOpening(words, this.#locale)
      ? Math.min(finishedMs * openingFactor, unfinishedMs)
      : finishedMs;
    return Math.max(leastMs, Math.min(usual * learnedFactor, learnedMaxMs, unfinishedMs));
  }
}
