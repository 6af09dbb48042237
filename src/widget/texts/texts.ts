import type { chromeTexts } from "./chrome-texts.ts";
import type { pageTexts } from "./page-texts.ts";

/**
 * The words that the widget says by itself before the first frame, in English, by key; the others are in
 * `chrome-texts.ts` and `page-texts.ts`. `{name}` is the avatar's name, `{owner}` whose assistant it is, the other braces
 * say what they hold. Owners override single keys by `ui.texts`.
 */
const englishTexts = {
  dialog: "{name}, AI assistant",
  ai_assistant: "AI assistant",
  launcher: "Talk with {name}",
  launcher_hint: "AI assistant, by text",
  launcher_live: "Back to {name}",
  conversation: "Conversation",
} as const;

export type TextKey = keyof typeof englishTexts | keyof typeof chromeTexts | keyof typeof pageTexts;
export type TextValues = Readonly<Record<string, string | number>>;
/** Looks a text up and fills its braces. What fills them stays plain text wherever it is shown. */
export type Translate = (key: TextKey, values?: TextValues) => string;

const known: Partial<Record<TextKey, string>> = { ...englishTexts };

/** Adds the words of views that have arrived. */
export function addTexts(texts: Partial<Record<TextKey, string>>): void {
  Object.assign(known, texts);
}

/**
 * Makes the lookup for one widget. An override is taken for the exact language (`pt-BR.ready`), then its base
 * (`pt.ready`), then for any (`ready`); the English table answers the rest.
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
