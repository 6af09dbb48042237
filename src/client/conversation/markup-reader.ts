import { SpokenAnswer, type SpokenPart } from "../../markdown/index.ts";

/** Reads texts with Markdown as a person would. It comes with the parser, so it is loaded when there is such a text. */
export class MarkupReader {
  readonly #locale: string;
  #answer: { readonly entryId: string; readonly spoken: SpokenAnswer; read: number } | null = null;

  constructor(locale: string) {
    this.#locale = locale;
  }

  /**
   * The next part of an entry to speak, from its text so far; null if there is none. When an entry is read for the first
   * time, or again from an earlier place, its first `from` characters have been spoken as they are written.
   */
  read(entryId: string, from: number, written: string, isComplete: boolean): SpokenPart | null {
    if (this.#answer?.entryId !== entryId || from < this.#answer.read)
      this.#answer = { entryId, spoken: new SpokenAnswer(this.#locale, written.slice(0, from)), read: 0 };
    this.#answer.read = written.length;
    return this.#answer.spoken.read(written, isComplete);
  }
}
