import { chooseLanguage, languageOfTexts, type LanguageTag } from "../../languages/choose-language.ts";
import type { TextLanguage } from "./language.ts";
import type { Texts } from "./texts.ts";

/** The panel's own sheets have the rules for languages. */
export const css = "";

const imports: Readonly<Record<Exclude<LanguageTag, "en">, () => Promise<{ texts: Texts }>>> = {
  ar: () => import("../../languages/ar.ts"),
  de: () => import("../../languages/de.ts"),
  es: () => import("../../languages/es.ts"),
  fr: () => import("../../languages/fr.ts"),
  he: () => import("../../languages/he.ts"),
  it: () => import("../../languages/it.ts"),
  ja: () => import("../../languages/ja.ts"),
  ko: () => import("../../languages/ko.ts"),
  "pt-BR": () => import("../../languages/pt-BR.ts"),
  "zh-Hans": () => import("../../languages/zh-Hans.ts"),
  "zh-Hant": () => import("../../languages/zh-Hant.ts"),
};

const loaded = new Map<LanguageTag, Texts>([["en", {}]]);
const loads = new Map<LanguageTag, Promise<void>>();

async function load(tag: Exclude<LanguageTag, "en">): Promise<void> {
  try {
    loaded.set(tag, (await imports[tag]()).texts);
  } catch {
    // English until the network is back.
    loaded.set(tag, {});
    const forget = () => {
      loaded.delete(tag);
      loads.delete(tag);
    };
    addEventListener("online", forget, { once: true });
  }
}

/**
 * The language of a conversation: the first wanted one that the owner allows. Its texts are loaded when they are first asked
 * for; `changed` is called when they are there, or could not be loaded and are English.
 */
export function languageFor(
  wanted: readonly string[],
  limit: readonly string[] | undefined,
  changed: () => void,
): TextLanguage {
  const locale = chooseLanguage(wanted, limit);
  const lang = languageOfTexts(locale) ?? "en";
  const texts = loaded.get(lang);
  if (texts) return { locale, lang, texts, ready: true };
  if (lang !== "en") {
    const loading = loads.get(lang) ?? load(lang);
    loads.set(lang, loading);
    void loading.then(changed);
  }
  return { locale, lang, texts: {}, ready: false };
}
