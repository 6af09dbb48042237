/**
 * Every word the widget says by itself, in English, by key. `{name}` is the avatar's name, `{owner}` whose assistant
 * it is, the other braces say what they hold. Owners override single keys by `ui.texts`.
 */
export const englishTexts = {
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
  start_title: "Talk with {name}",
  start_text: "{name} is an AI, not a person. Your messages go to {owner} to answer you.",
  start_fine: "Nothing is sent until you choose.",
  start: "Start the conversation",
  privacy: "Privacy",
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
  copy: "Copy transcript",
  copied: "Copied",
  download: "Download",
  ended_title: "Thanks for talking",
  ended_short: "Less than a minute with {name}, AI assistant.",
  ended_one: "1 minute with {name}, AI assistant.",
  ended_many: "{minutes} minutes with {name}, AI assistant.",
  again: "Talk again",
  retry: "Try again",
  contact: "Contact us another way",
  reference: "Reference",
  error_title: "{name} isn’t available right now",
  error_title_anyone: "This assistant isn’t available right now",
  error_start: "We couldn’t start the conversation. Please try again in a minute.",
  error_context_not_found: "There is no assistant at this address. The page may be out of date.",
  error_context_inactive: "This assistant is switched off at the moment.",
  error_origin_not_allowed: "This assistant isn’t set up to work on this site.",
  error_rate_limited: "A lot of people are asking right now. Please try again in a minute.",
  error_quota_exceeded: "All the time for conversations is used up for now. Please come back later.",
  error_session_lost: "The conversation was lost and couldn’t be picked up again. You can start a new one.",
  error_connection_failed: "We couldn’t connect. Check your network, then try again.",
  error_media_unsupported: "This browser can’t show {name}. Please try a current version of another browser.",
  error_network: "We can’t reach {name}. Check your connection, then try again.",
} as const;

export type TextKey = keyof typeof englishTexts;
export type TextValues = Readonly<Record<string, string | number>>;
/** Looks a text up and fills its braces. What fills them stays plain text wherever it is shown. */
export type Translate = (key: TextKey, values?: TextValues) => string;

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
      overrides[`${lang}.${key}`] ?? overrides[`${base}.${key}`] ?? overrides[key] ?? englishTexts[key];
    return text.replace(/\{(\w+)\}/g, (brace, name: string) =>
      String(values?.[name] ?? always[name] ?? brace),
    );
  };
}
