import { LRUCache } from "lru-cache";
import { spokenTokens } from "./spoken-text.ts";

/** Words per batch: about 30 ms of a thread. */
const wordsAtOnce = 40;

/** Pause between two batches, so that other speech requests are hardly delayed. */
const restMs = 150;

/** How many texts with known words are remembered; the oldest are forgotten. */
const rememberedTexts = 200;

/** Finds the pronunciations of words in expected texts, a few at a time, so that no answer has to wait for them. */
export class ExpectedWords {
  readonly #learn: (words: readonly string[]) => Promise<unknown>;
  readonly #texts = new LRUCache<string, true>({ max: rememberedTexts });
  #words: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(learn: (words: readonly string[]) => Promise<unknown>) {
    this.#learn = learn;
  }

  /** Adds a text. A text that was already added costs nothing. */
  add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.set(text, true);
    this.#words.push(...wordsOf(text));
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#words = [];
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isStopped || this.#words.length === 0) return;
    this.#timer ??= setTimeout(() => void this.#go(), restMs).unref();
  }

  async #go(): Promise<void> {
    try {
      await this.#learn(this.#words.splice(0, wordsAtOnce));
    } catch {
      // Synthesis will make the same call again and report the error.
    }
    this.#timer = undefined;
    this.#schedule();
  }
}

/** The words of a text in their spoken form, without duplicates; none if the text cannot be spoken. */
function wordsOf(text: string): string[] {
  try {
    return [...new Set(spokenTokens(text).map(({ spoken }) => spoken))].filter((word) => word !== "");
  } catch {
    return [];
  }
}
