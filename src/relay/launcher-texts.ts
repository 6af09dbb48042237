import { texts as ar } from "../languages/ar.ts";
import { chooseLanguage, languageOfTexts, type LanguageTag } from "../languages/choose-language.ts";
import { texts as de } from "../languages/de.ts";
import { texts as es } from "../languages/es.ts";
import { texts as fr } from "../languages/fr.ts";
import { texts as he } from "../languages/he.ts";
import { texts as it } from "../languages/it.ts";
import { texts as ja } from "../languages/ja.ts";
import { texts as ko } from "../languages/ko.ts";
import { texts as ptBr } from "../languages/pt-BR.ts";
import { texts as zhHans } from "../languages/zh-Hans.ts";
import { texts as zhHant } from "../languages/zh-Hant.ts";
import type { UiConfig } from "../protocol/embed-config.ts";

/** The texts of a launcher that the loader draws. */
const en = {
  launcher: "Talk with {name}",
  launcher_write: "Write to {name}",
  ai_assistant: "AI assistant",
  launcher_hint: "AI assistant, voice or text",
  launcher_hint_written: "AI assistant, by text",
  launcher_offline: "You’re offline. This starts when the connection is back.",
} as const;
type LauncherKey = keyof typeof en;

const languages: Readonly<Record<LanguageTag, Readonly<Record<LauncherKey, string>>>> = {
  en,
  ar,
  de,
  es,
  fr,
  he,
  it,
  ja,
  ko,
  "pt-BR": ptBr,
  "zh-Hans": zhHans,
  "zh-Hant": zhHant,
};

/**
 * Looks up a launcher's texts in the page's language, as far as the owner allows it. The owner's own texts win: those of the
 * language (`pt-BR.launcher`, `pt.launcher`), then those for any language (`launcher`).
 */
export function launcherTexts(
  ui: UiConfig,
  pageLanguage: string,
  name: string,
): (key: LauncherKey) => string {
  const locale = chooseLanguage([pageLanguage], ui.languages);
  const lang = languageOfTexts(locale) ?? "en";
  const tags = [locale, lang, locale.split("-", 1)[0] ?? ""];
  return (key) => {
    const own = tags.map((tag) => ui.texts?.[`${tag}.${key}`]).find(Boolean);
    return (own ?? ui.texts?.[key] ?? languages[lang][key]).replaceAll("{name}", () => name);
  };
}
