import { spokenTokens } from "./spoken-text.ts";

/** Words that are found out at once: about 30 ms of a thread. */
const wordsAtOnce = 40;

/** Between two such moments, so that whoever speaks meanwhile hardly notices. */
const restMs = 150;

/** Texts whose words are known already; the oldest are forgotten. */
const rememberedTexts = 200;

/** Learns how the words of expected texts sound, a few at a time, so that no answer waits for that. */
export class ExpectedWords {
  readonly #learn: (words: readonly string[]) => Promise<unknown>;
  readonly #texts = new Set<string>();
  #words: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(learn: (words: readonly string[]) => Promise<unknown>) {
    this.#learn = learn;
  }

  /** Adds a text; one that was added before costs nothing. */
  add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    const [oldest] = this.#texts;
    if (this.#texts.size > rememberedTexts && oldest !== undefined) this.#texts.delete(oldest);
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
      // Whoever says them asks again, and hears what is wrong.
    }
    this.#timer = undefined;
    this.#schedule();
  }
}

/** The words of a text as they are said, each once; none of a text that cannot be. */
function wordsOf(text: string): string[] {
  try {
    return [...new Set(spokenTokens(text).map(({ spoken }) => spoken))].filter((word) => word !== "");
  } catch {
    return [];
  }
}
