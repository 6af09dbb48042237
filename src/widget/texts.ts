import type { pageTexts } from "./page-texts.ts";

/**
 * Every word the widget says by itself, in English, by key. `{name}` is the avatar's name, `{owner}` whose assistant
 * it is, the other braces say what they hold. Owners override single keys by `ui.texts`. Those of the pages are in
 * `page-texts.ts`.
 */
const englishTexts = {
  dialog: "{name}, AI assistant",
  ai_assistant: "AI assistant",
  launcher: "Talk with {name}",
  launcher_hint: "AI assistant, by text",
  launcher_hide: "Hide",
  launcher_live: "Back to {name}",
  minimise: "Minimise",
  close: "Close",
  more: "More",
  conversation: "Conversation",
  connecting: "Connecting",
  connecting_words: "{name} will be with you in a moment.",
  ready: "Ready",
  listening: "Listening",
  thinking: "Thinking",
  speaking: "Speaking",
  interrupt: "Interrupt",
  hear: "Tap to hear {name}",
  type: "Write to {name}",
  type_hint: "Type your question, or just start writing.",
  type_hint_touch: "Tap the button to write.",
  type_close: "Hide the transcript",
  captions_on: "Turn captions on",
  captions_off: "Turn captions off",
  end: "End the conversation",
  suggestions: "You could ask",
  transcript: "Transcript",
  send: "Send",
  interrupted: "You interrupted",
  said_by_visitor: "You",
  reconnecting: "Reconnecting",
  reconnecting_words: "The connection dropped.",
  reconnecting_hint: "Trying again, {attempt} of {of}. You won’t lose your place.",
} as const;

export type TextKey = keyof typeof englishTexts | keyof typeof pageTexts;
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
