import { LRUCache } from "lru-cache";

/** How many words are remembered. Visitors hear the same words again and again. */
const rememberedWords = 5_000;

/** Finds the phones of each word, for a session or the service itself; undefined when the engine cannot. */
type AskPronunciations = (
  words: readonly string[],
  session: string | undefined,
) => Promise<string[][] | undefined>;

/** Pronunciations of single words. The engine is called once per word. */
export class Pronunciations {
  readonly #ask: AskPronunciations;
  readonly #known = new LRUCache<string, string[]>({ max: rememberedWords });

  constructor(ask: AskPronunciations) {
    this.#ask = ask;
  }

  /** The phones of each word; its letters when the engine has none. `session`: the session of the request. */
  async of(spoken: readonly string[], session?: string): Promise<string[][]> {
    const keys = spoken.map(pronunciationKey);
    const unknown = [...new Set(keys)].filter((key) => key !== "" && !this.#known.has(key));
    const answers = new Map<string, string[]>();
    if (unknown.length > 0) {
      const words = unknown.map((key) => key.replaceAll(" ", "-"));
      const phones = await this.#ask(words, session);
      for (const [index, key] of unknown.entries()) {
        const sounds = phones?.[index];
        if (sounds) answers.set(key, sounds);
      }
    }
    const pronounced = keys.map((key) =>
      key === "" ? [] : (answers.get(key) ?? this.#known.get(key) ?? key.toLowerCase().split("")),
    );
    for (const [key, phones] of answers) this.#known.set(key, phones);
    return pronounced;
  }
}

/** The part of a word that decides its sounds: without the punctuation around it. */
function pronunciationKey(spoken: string): string {
  return spoken.replace(/^[^A-Za-z0-9$&%@+=]+|[^A-Za-z0-9$&%@+=]+$/g, "");
}
