import type { UiConfig } from "../../protocol/embed-config.ts";
import { createTranslate, type Translate } from "./texts.ts";

const rightToLeft = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/;

/** The language of an element: its own attribute, the page's, the browser's. */
export function languageOf(element: HTMLElement): string {
  return (
    element.getAttribute("lang") || element.closest("[lang]")?.getAttribute("lang") || navigator.language
  );
}

/** Reading direction: of the element's own language where it names one, else the page's at this place. */
export function directionOf(element: HTMLElement): "ltr" | "rtl" {
  const own = element.getAttribute("lang");
  const rtl = own ? rightToLeft.test(own) : getComputedStyle(element).direction === "rtl";
  return rtl ? "rtl" : "ltr";
}

/** The widget's texts for an element, with the names of the avatar and of the owner in them. */
export function textsFor(
  element: HTMLElement,
  ui: UiConfig,
  name: string,
  owner: string,
): { t: Translate; lang: string } {
  const overrides = ui.texts ?? {};
  const lang = languageOf(element);
  const plain = createTranslate(overrides, lang, {});
  const t = createTranslate(overrides, lang, {
    name: name || plain("ai_assistant"),
    owner: owner || location.hostname,
  });
  // The texts are English unless the owner has translated them.
  return { t, lang: Object.keys(overrides).length > 0 ? lang : "en" };
}
