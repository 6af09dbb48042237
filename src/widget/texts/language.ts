import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import { createTranslate, type Texts, type Translate } from "./texts.ts";

const rightToLeft = /^(ar|dv|fa|he|iw|ku|ps|sd|ug|ur|yi)\b/i;

/** The language of a conversation, and the widget's texts in it. */
export interface TextLanguage {
  /** BCP 47 tag of the conversation. */
  readonly locale: string;
  /** Language of `texts`. */
  readonly lang: string;
  /** The texts other than English ones. */
  readonly texts: Texts;
  /** False while the texts are being loaded. */
  readonly ready: boolean;
}

/** The language of `wanted` that the owner allows; `changed` is called when its texts have been loaded. */
type LanguageFor = (
  wanted: readonly string[],
  limit: readonly string[] | undefined,
  changed: () => void,
) => TextLanguage;

/** A language until the module of languages is there. */
export function pendingLanguage(locale: string): TextLanguage {
  return { locale, lang: "en", texts: {}, ready: false };
}

/** The language of an element: its own attribute, the page's, the browser's. */
export function languageOf(element: HTMLElement): string {
  return (
    element.getAttribute("lang") || element.closest("[lang]")?.getAttribute("lang") || navigator.language
  );
}

/**
 * The language of a conversation: what the visitor chose, else what the element has. Null for English, as long as the owner
 * does not limit the languages. `changed` is called when the texts have been loaded.
 */
export function conversationLanguage(
  element: HTMLElement,
  chosen: string | undefined,
  limit: readonly string[] | undefined,
  languages: { languageFor: LanguageFor } | undefined,
  changed: () => void,
): TextLanguage | null {
  const own = languageOf(element);
  const first = chosen ?? own;
  if (!limit && /^en\b/i.test(first)) return null;
  if (!languages) return pendingLanguage(first);
  return languages.languageFor([first, own, ...navigator.languages], limit, changed);
}

/** Reading direction: of the texts' language or the element's own where there is one, else the page's at this place. */
export function directionOf(element: HTMLElement, language: TextLanguage | null): "ltr" | "rtl" {
  const own = language?.locale ?? element.getAttribute("lang");
  const rtl = own ? rightToLeft.test(own) : getComputedStyle(element).direction === "rtl";
  return rtl ? "rtl" : "ltr";
}

/** The widget's texts for an element, with the names of the avatar and of the owner in them. `language` null: English ones. */
export function textsFor(
  element: HTMLElement,
  ui: UiConfig,
  name: string,
  owner: string,
  language: TextLanguage | null,
): { t: Translate; lang: string } {
  const overrides = ui.texts ?? {};
  const locale = language?.locale ?? languageOf(element);
  const lang = language?.lang ?? "en";
  const tags = [locale, lang, locale.split("-", 1)[0] ?? ""];
  const translate = (always: Record<string, string>) =>
    createTranslate(overrides, tags, always, language?.texts);
  const t = translate({
    name: name || translate({})("ai_assistant"),
    owner: owner || location.hostname,
  });
  // The owner may have translated texts that the widget does not have in this language.
  return { t, lang: Object.keys(overrides).length > 0 ? locale : lang };
}
