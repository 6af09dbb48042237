import type { attachmentTexts } from "./attachment-texts.ts";
import type { chromeTexts } from "./chrome-texts.ts";
import type { launcherTexts } from "./launcher-texts.ts";
import type { pageTexts } from "./page-texts.ts";
import type { personTexts } from "./person-texts.ts";
import type { richTexts } from "./rich-texts.ts";
import type { ratingTexts } from "./rating-texts.ts";
import type { settingsTexts } from "./settings-texts.ts";
import type { transcriptTexts } from "./transcript-texts.ts";
import type { voiceTexts } from "./voice-texts.ts";

/**
 * The widget's texts in English, by key: those that are needed before the first frame. The others are in
 * `attachment-texts.ts`, `chrome-texts.ts`, `launcher-texts.ts`, `page-texts.ts`, `person-texts.ts`, `rich-texts.ts`, `settings-texts.ts`, `transcript-texts.ts` and `voice-texts.ts`. `{name}` is the avatar's name, `{owner}` whose
 * assistant it is; other braces name what they hold. The other languages are in `src/languages/`. Owners override single keys by `ui.texts`.
 */
export const englishTexts = {
  dialog: "{name}, AI assistant",
  ai_assistant: "AI assistant",
  launcher: "Talk with {name}",
  close: "Close",
  retry: "Try again",
  load_error: "Part of this assistant couldn’t be loaded. Check your connection, then try again.",
} as const;

export type TextKey =
  | keyof typeof englishTexts
  | keyof typeof attachmentTexts
  | keyof typeof launcherTexts
  | keyof typeof chromeTexts
  | keyof typeof pageTexts
  | keyof typeof ratingTexts
  | keyof typeof personTexts
  | keyof typeof richTexts
  | keyof typeof settingsTexts
  | keyof typeof transcriptTexts
  | keyof typeof voiceTexts;
export type Texts = Readonly<Partial<Record<TextKey, string>>>;
export type TextValues = Readonly<Record<string, string | number>>;
/** Looks up a text and fills its braces. The values stay plain text wherever they are shown. */
export type Translate = (key: TextKey, values?: TextValues) => string;

const known: Partial<Record<TextKey, string>> = { ...englishTexts };

/** Adds the texts of views that have been loaded. */
export function addTexts(texts: Texts): void {
  Object.assign(known, texts);
}

/**
 * Makes the lookup for one widget. Overrides are taken for the first of the language tags that has one (`pt-BR.ready`,
 * `pt.ready`), then for any language (`ready`). All others are those of the widget's language, else English.
 */
export function createTranslate(
  overrides: Readonly<Record<string, string>>,
  tags: readonly string[],
  always: TextValues,
  texts: Texts = {},
): Translate {
  return (key, values) => {
    const own = tags.map((tag) => overrides[`${tag}.${key}`]).find(Boolean);
    const text = own ?? overrides[key] ?? texts[key] ?? known[key] ?? "";
    return text.replace(/\{(\w+)\}/g, (brace, name: string) =>
      String(values?.[name] ?? always[name] ?? brace),
    );
  };
}
