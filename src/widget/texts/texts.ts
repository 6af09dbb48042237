import type { chromeTexts } from "./chrome-texts.ts";
import type { pageTexts } from "./page-texts.ts";

/**
 * The widget's texts in English, by key: those that are needed before the first frame. The others are in
 * `chrome-texts.ts` and `page-texts.ts`. `{name}` is the avatar's name, `{owner}` whose assistant it is; other braces
 * name what they hold. Owners override single keys by `ui.texts`.
 */
const englishTexts = {
  dialog: "{name}, AI assistant",
  ai_assistant: "AI assistant",
  launcher: "Talk with {name}",
  launcher_hint: "AI assistant, by text",
  launcher_live: "Back to {name}",
  conversation: "Conversation",
  close: "Close",
  retry: "Try again",
  load_error: "Part of this assistant couldn’t be loaded. Check your connection, then try again.",
} as const;

export type TextKey = keyof typeof englishTexts | keyof typeof chromeTexts | keyof typeof pageTexts;
export type TextValues = Readonly<Record<string, string | number>>;
/** Looks up a text and fills its braces. The values stay plain text wherever they are shown. */
export type Translate = (key: TextKey, values?: TextValues) => string;

const known: Partial<Record<TextKey, string>> = { ...englishTexts };

/** Adds the texts of views that have been loaded. */
export function addTexts(texts: Partial<Record<TextKey, string>>): void {
  Object.assign(known, texts);
}

/**
 * Makes the lookup for one widget. Overrides are taken for the exact language (`pt-BR.ready`), then for its base
 * (`pt.ready`), then for any language (`ready`). All others are English.
 */
export function createTranslate(
  overrides: Readonly<Record<string, string>>,
  lang: string,
  always: TextValues,
): Translate {
  const base = lang.split("-", 1)[0] ?? "";
  return (key, values) => {
    const text =
      overrides[`${lang}.${key}`] ?? overrides[`${base}.${key}`] ?? overrides[key] ?? known[key] ?? "";
    return text.replace(/\{(\w+)\}/g, (brace, name: string) =>
      String(values?.[name] ?? always[name] ?? brace),
    );
  };
}
