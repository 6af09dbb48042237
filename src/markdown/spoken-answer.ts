import { parseMarkdown } from "./parse-markdown.ts";
import { phrasesFor } from "./phrases.ts";
import { spokenMarkdown } from "./spoken-markdown.ts";
import { writtenPlaces } from "./word-places.ts";

/** A part of an answer as it is spoken. */
export interface SpokenPart {
  readonly text: string;
  /** The place in the answer's written text for a place in `text`. */
  readonly placeOf: (offset: number) => number;
}

const letter = /[\p{L}\p{N}]/u;
const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** The text after its first `count` letters and digits, and after the marks that belong to them. A blank line is kept. */
function afterLetters(text: string, count: number): string {
  let left = count;
  let end = 0;
  for (const character of text) {
    if (left === 0) break;
    if (letter.test(character)) left -= 1;
    end += character.length;
  }
  if (count === 0) return text;
  return text
    .slice(end)
    .replace(/^[^\s\p{L}\p{N}]*(\s*)/u, (_, space: string) => (space === "\n\n" ? space : ""));
}

/** A last word that may go on: the beginning of an address must not be spoken as a word. */
const openWord = /(?:[!-~]*[\w/=&%#@+[\]-]|https?:)$/;

/** A whole Markdown text as it is spoken, in the phrases of a language (BCP 47). */
export function spokenText(written: string, locale: string): string {
  return spokenMarkdown(parseMarkdown(written), phrasesFor(locale));
}

/**
 * Turns a Markdown answer that arrives in pieces into what is said. Each piece is read in the light of all before it: a link
 * or a table may begin in one piece and end in the next. What was said is counted in letters, because marks and pauses may
 * change when more of the text is known, and letters do not.
 */
export class SpokenAnswer {
  readonly #locale: string;
  #saidLetters: number;
  #readTo: number;

  /** `said` is the beginning of the answer that was spoken as it is written. */
  constructor(locale: string, said = "") {
    this.#locale = locale;
    this.#saidLetters = letters(said);
    this.#readTo = said.length;
  }

  /** The next part of the answer to speak, from its text so far; null if there is none. */
  read(written: string, isComplete: boolean): SpokenPart | null {
    const known = isComplete ? written : written.replace(openWord, "");
    const whole = spokenMarkdown(parseMarkdown(known, !isComplete), phrasesFor(this.#locale));
    const text = afterLetters(whole, this.#saidLetters);
    if (!letter.test(text)) return null;
    const from = this.#readTo;
    this.#saidLetters = letters(whole);
    this.#readTo = known.length;
    const placeOf = writtenPlaces(text, known.slice(from));
    return { text, placeOf: (offset) => from + placeOf(offset) };
  }
}
