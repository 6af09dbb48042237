import { irregularForms } from "./word-groups.ts";

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Scripts written without spaces, or whose words carry particles: pairs of characters find more than words do. */
const pairedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Longer texts are cut before they are taken apart: questions are short, and passages are sentences. */
const maxCharacters = 2_000;

/**
 * The stem that a word's forms share, near enough for finding: "delivers", "delivered" and "delivery" are one. English
 * endings; words of other languages mostly pass as they are.
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

/** Whether a term is a pair of characters and no word: endings and particles make many that no text knows. */
export function isPair(term: string): boolean {
  return pairedScript.test(term);
}

function pairs(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/** A word of a text: as written in small letters, and the terms it is found by. */
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

/** The terms a text is found by. */
export function textTerms(text: string): string[] {
  return textWords(text).flatMap(({ terms }) => terms);
}
