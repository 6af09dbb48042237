import { irregularForms } from "./word-groups.ts";

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Scripts written without spaces, or whose words carry particles. For these, pairs of characters match better than words. */
const pairedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Longer texts are truncated before they are split: questions are short, and passages are sentences. */
const maxCharacters = 2_000;

/**
 * The common stem of a word's forms, good enough for search: "delivers", "delivered" and "delivery" have the same stem. Knows
 * English endings; words of other languages mostly stay unchanged.
 */
function stem(word: string): string {
  const known = irregularForms.get(word);
  if (known !== undefined) return stem(known);
  if (!/^[a-z'’-]+$/.test(word) || word.length < 4) return word;
  const base = word
    .replace(/['’]s?$/, "")
    .replace(/ies$/, "y")
    .replace(/(?<=ss|sh|ch|x|z)es$/, "")
    .replace(/(?<=[^suai])s$/, "");
  const bare = base.length > 5 ? base.replace(/(?:ing|ed|er)$/, "") : base.replace(/(?<=..[^aeiou])ed$/, "");
  return bare
    .replace(/([bdgmnprt])\1$/, "$1")
    .replace(/(?<=.{4})y$/, "")
    .replace(/(?<=.{3})e$/, "");
}

/** Whether a term is a pair of characters instead of a word. Endings and particles create many pairs that no text contains. */
export function isPair(term: string): boolean {
  return pairedScript.test(term);
}

function pairs(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/** A word of a text: as written in lower case, and the terms that find it. */
export interface TextWord {
  word: string;
  terms: string[];
}

/** The words of a text in order. */
export function textWords(text: string): TextWord[] {
  const found: TextWord[] = [];
  for (const { segment, isWordLike } of words.segment(text.normalize("NFKC").slice(0, maxCharacters))) {
    if (!isWordLike && segment !== "€") continue;
    const word = segment.toLowerCase();
    found.push({ word, terms: pairedScript.test(word) ? pairs(word) : [stem(word)] });
  }
  return found;
}

/** The terms that find a text. */
export function textTerms(text: string): string[] {
  return textWords(text).flatMap(({ terms }) => terms);
}
