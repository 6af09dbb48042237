/** Words that are remembered; visitors hear the same again and again. */
const rememberedWords = 5_000;

/** Asks for the phones of each word, for a session or the service itself; undefined where the engine cannot tell. */
type AskPronunciations = (
  words: readonly string[],
  session: string | undefined,
) => Promise<string[][] | undefined>;

/** How words sound on their own, each asked of the engine once. */
export class Pronunciations {
  readonly #ask: AskPronunciations;
  readonly #known = new Map<string, string[]>();

  constructor(ask: AskPronunciations) {
    this.#ask = ask;
  }

  /** The phones of each word; its letters where the engine cannot tell. `session`: whom it is asked for. */
  async of(spoken: readonly string[], session?: string): Promise<string[][]> {
    const keys = spoken.map(pronunciationKey);
    const unknown = [...new Set(keys)].filter((key) => key !== "" && !this.#known.has(key));
    const answers = new Map<string, string[]>();
    if (unknown.length > 0) {
      const words = unknown.map((key) => key.replaceAll(" ", "-"));
      const phones = await this.#ask(words, session);
      phones?.forEach((sounds, index) => answers.set(unknown[index]!, sounds));
    }
    const pronounced = keys.map((key) =>
      key === "" ? [] : (answers.get(key) ?? this.#known.get(key) ?? key.toLowerCase().split("")),
    );
    this.#remember(answers);
    return pronounced;
  }

  #remember(answers: ReadonlyMap<string, string[]>): void {
    if (this.#known.size > rememberedWords) this.#known.clear();
    for (const [key, phones] of answers) this.#known.set(key, phones);
  }
}

/** What of a word decides its sounds: without the punctuation around it. */
function pronunciationKey(spoken: string): string {
  return spoken.replace(/^[^A-Za-z0-9$&%@+=]+|[^A-Za-z0-9$&%@+=]+$/g, "");
}
