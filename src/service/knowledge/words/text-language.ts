import { smallWordsOf, type TextLanguage, textLanguages } from "./tokens.ts";

const scripts: readonly (readonly [TextLanguage, RegExp])[] = [
  ["ko", /\p{Script=Hangul}/u],
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["zh", /\p{Script=Han}/u],
  ["ar", /\p{Script=Arabic}/u],
  ["he", /\p{Script=Hebrew}/u],
];

/** Characters and elided words that mostly one of the languages has. */
const marks: readonly (readonly [TextLanguage, RegExp, number])[] = [
  ["es", /[ñ¿¡]/, 2],
  ["de", /[äöüß]/, 2],
  ["fr", /[èêçàùœ]|\b(?:qu|c|j|d|l)'/, 1.2],
  ["pt", /[ãõ]|ção\b/, 2],
  ["it", /\b(?:dell|nell|all|un|l|c)'|[ìò]/, 1.2],
];

const latin = ["en", "de", "es", "fr", "it", "pt"] as const satisfies readonly TextLanguage[];

/** So much of a text tells its language. */
const readCharacters = 4_000;

/**
 * The language of a text by its script, its small words and its letters, which also tells short questions. `usual` unless another
 * one is clearly more likely.
 */
export function textLanguage(text: string, usual: TextLanguage): TextLanguage {
  const read = text.slice(0, readCharacters).normalize("NFKC").toLowerCase().replace(/[’`]/g, "'");
  const byScript = scripts.find(([, script]) => script.test(read))?.[0];
  // A Chinese word in a Japanese text or a name in another script decides nothing in a text that is otherwise Latin.
  const latinLetters = (read.match(/\p{Script=Latin}/gu) ?? []).length;
  if (byScript !== undefined && latinLetters < read.length / 2)
    return byScript === "zh" && usual === "ja" ? "ja" : byScript;
  const words = read.split(/[^\p{L}]+/u).filter((word) => word !== "");
  const points = new Map<TextLanguage, number>(latin.map((language) => [language, 0]));
  const add = (language: TextLanguage, more: number) =>
    points.set(language, (points.get(language) ?? 0) + more);
  for (const language of latin)
    for (const word of words) if (smallWordsOf(language).has(word)) add(language, 1);
  for (const [language, mark, more] of marks) if (mark.test(read)) add(language, more);
  const [best = usual, most = 0] = [...points].sort(([, one], [, other]) => other - one)[0] ?? [];
  return most - (points.get(usual) ?? 0) >= 1 ? best : usual;
}

/** The language of a BCP 47 tag; null where the answerer does not know it. */
export function languageOfTag(tag: string | undefined): TextLanguage | null {
  const language = tag?.split(/[-_]/, 1)[0]?.toLowerCase();
  return textLanguages.find((known) => known === language) ?? null;
}
