/** The languages of the widget's texts, as BCP 47 tags. English is part of the widget; the others are files of this folder. */
export const languageTags = [
  "en",
  "ar",
  "de",
  "es",
  "fr",
  "he",
  "it",
  "ja",
  "ko",
  "pt-BR",
  "zh-Hans",
  "zh-Hant",
] as const;
export type LanguageTag = (typeof languageTags)[number];

/** The language of texts that fits a language tag (`de` for `de-AT`, `zh-Hant` for `zh-TW`); null if there is none. */
export function languageOfTexts(tag: string): LanguageTag | null {
  const [base = "", ...rest] = tag.toLowerCase().replaceAll("_", "-").split("-");
  if (base === "zh") return rest.some((part) => /^(hant|tw|hk|mo)$/.test(part)) ? "zh-Hant" : "zh-Hans";
  const code = base === "iw" ? "he" : base;
  return languageTags.find((known) => known.split("-", 1)[0] === code) ?? null;
}

/** Two tags name the same language as far as texts are concerned: regions do not matter, the script of Chinese does. */
export function isSameLanguage(tag: string, other: string): boolean {
  const family = (name: string) => languageOfTexts(name) ?? name.toLowerCase().split(/[-_]/, 1)[0];
  return family(tag) === family(other);
}

/**
 * The language of a conversation: the first wanted one that the owner allows, else the owner's first. `limit` empty: every
 * language is allowed. Tags are BCP 47.
 */
export function chooseLanguage(wanted: readonly string[], limit: readonly string[] = []): string {
  const isAllowed = (tag: string) => limit.length === 0 || limit.some((one) => isSameLanguage(one, tag));
  return wanted.find((tag) => tag !== "" && isAllowed(tag)) ?? limit[0] ?? "en";
}
