/** Scripts with the languages that are written in them. The first one is meant where nothing tells which. */
const scripts: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ["ja"]],
  [/\p{Script=Hangul}/gu, ["ko"]],
  [/\p{Script=Han}/gu, ["zh", "ja"]],
  [/\p{Script=Arabic}/gu, ["ar", "fa", "ur", "ps", "ku", "ug"]],
  [/\p{Script=Hebrew}/gu, ["he", "iw", "yi"]],
  [/\p{Script=Cyrillic}/gu, ["ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"]],
  [/\p{Script=Greek}/gu, ["el"]],
  [/\p{Script=Thai}/gu, ["th"]],
  [/\p{Script=Devanagari}/gu, ["hi", "mr", "ne"]],
];

/** From this share of its letters on a script decides, though names in Latin letters stand between them. */
const decidingShare = 0.3;

/** A language tag without its script and region. */
export const baseLanguage = (tag: string): string => tag.toLowerCase().split(/[-_]/, 1)[0] ?? "";

/**
 * The language of a text by the script that it is written in, as a BCP 47 tag: `locale` where that may be it, otherwise the
 * script's own language. Languages of the same script are not told apart.
 */
export function textLanguage(text: string, locale: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const base = baseLanguage(locale);
  const count = (script: RegExp) => text.match(script)?.length ?? 0;
  for (const [script, languages] of scripts)
    if (letters > 0 && count(script) >= letters * decidingShare)
      return languages.includes(base) ? locale : (languages[0] ?? locale);
  const hasOwnScript = scripts.some(([, languages]) => languages.includes(base));
  return letters > 0 && hasOwnScript && count(/\p{Script=Latin}/gu) === letters ? "en" : locale;
}
