import { shell, type ShellTexts } from "./en/shell.ts";
import { chosenLanguage, type Language } from "./language.ts";
import { pageTextLoaders, type PageTexts, type TextPart } from "./page-texts.ts";

/** The texts of the shell, and those of the pages that are loaded. */
export type Texts = ShellTexts & PageTexts;

/**
 * The texts of the chosen language. Those of a page are there when the page is: its route names the parts, and the shell loads them
 * before it shows the page.
 */
export const texts = { ...shell } as Texts;

/** The chosen language. */
export let language: Language = "en";

/** Loads the shell's texts in the chosen language. */
export async function loadTexts(): Promise<void> {
  language = chosenLanguage();
  if (language === "ko") Object.assign(texts, (await import("./ko/shell.ts")).shell);
  document.documentElement.lang = language;
}

/** Loads texts of pages. Throws where the server does not answer. */
export async function loadPageTexts(parts: readonly TextPart[]): Promise<void> {
  const loaders = pageTextLoaders[language];
  const loaded = await Promise.all(parts.map(async (part) => [part, await loaders[part]()] as const));
  Object.assign(texts, Object.fromEntries(loaded));
}
