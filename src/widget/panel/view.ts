import type { Conversation } from "../session/session-snapshot.ts";
import type { IconName } from "../styles/icons.ts";
import type { TextKey } from "../texts/texts.ts";

export type Ring = "idle" | "connecting" | "listening" | "thinking" | "speaking" | "reconnecting" | "muted";
type Page = "start" | "conversation" | "more" | "ended" | "error";

/** What stands in the ring's lower edge: the state in words, or one main action. */
export type Plate =
  | {
      readonly kind: "status";
      readonly word: TextKey;
      readonly sign: "dots" | "meter" | IconName | null;
      readonly interrupt: boolean;
    }
  | { readonly kind: "hear" }
  | { readonly kind: "begin" };

/** What the words under the window (or on the plate over it) are. */
export type Words =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly key: TextKey; readonly hint: TextKey | null }
  | { readonly kind: "question"; readonly text: string }
  | { readonly kind: "caption"; readonly text: string; readonly index: number }
  | { readonly kind: "answer"; readonly text: string; readonly hint: boolean }
  | { readonly kind: "suggestions" };

/** One look of the widget, free of markup: what the templates draw. */
export interface View {
  readonly page: Page;
  readonly ring: Ring;
  /** How much of the ring is closed while connecting, in percent. */
  readonly ringPart: number;
  readonly plate: Plate;
  readonly words: Words;
  readonly canType: boolean;
}

/** Everything a view depends on besides the conversation. */
export interface ViewOptions {
  /** The visitor has asked to start, so "idle" means "about to connect". */
  readonly starting: boolean;
  readonly moreOpen: boolean;
  readonly captions: boolean;
  readonly textInput: boolean;
  readonly suggestions: boolean;
  /** The start is one button on the picture (inline) instead of a page. */
  readonly beginOnPicture: boolean;
}

const parts = { room: 40, avatar: 72, sound: 100 } as const;

/** The look for a conversation. Pure. */
export function viewOf(conversation: Conversation, options: ViewOptions): View {
  const page = pageOf(conversation, options);
  return {
    page,
    ring: ringOf(conversation, options),
    ringPart: conversation.step ? parts[conversation.step] : 8,
    plate: plateOf(conversation, options, page),
    words: wordsOf(conversation, options),
    canType: options.textInput && (page === "conversation" || page === "more"),
  };
}

function pageOf({ state }: Conversation, { starting, moreOpen }: ViewOptions): Page {
  if (state === "error" || state === "ended") return starting ? "conversation" : state;
  if (state === "idle" && !starting) return "start";
  return moreOpen ? "more" : "conversation";
}

function ringOf({ state, activity, soundBlocked }: Conversation, { starting }: ViewOptions): Ring {
  if (state === "live") return soundBlocked ? "speaking" : activity;
  if (state === "connecting" || starting) return "connecting";
  return state === "reconnecting" || state === "error" ? "reconnecting" : "idle";
}

function plateOf(conversation: Conversation, options: ViewOptions, page: Page): Plate {
  const status = (
    word: TextKey,
    sign: (Plate & { kind: "status" })["sign"] = null,
    interrupt = false,
  ): Plate => ({
    kind: "status",
    word,
    sign,
    interrupt,
  });
  if (page === "start") return options.beginOnPicture ? { kind: "begin" } : status("ai_assistant");
  const { state, activity } = conversation;
  if (state === "reconnecting") return status("reconnecting", "offline");
  if (state !== "live") return status("connecting");
  if (conversation.soundBlocked) return { kind: "hear" };
  if (activity === "thinking") return status("thinking", "dots");
  if (activity === "speaking") return status("speaking", null, true);
  return activity === "listening" ? status("listening", "meter") : status("ready");
}

function wordsOf(conversation: Conversation, options: ViewOptions): Words {
  const { state, caption } = conversation;
  if (state === "reconnecting") return { kind: "text", key: "reconnecting_words", hint: "reconnecting_hint" };
  if (state !== "live") return { kind: "text", key: "connecting_words", hint: null };
  const last = conversation.transcript.at(-1);
  const asked = conversation.transcript.some(({ role }) => role === "visitor");
  if (caption) return options.captions ? { kind: "caption", ...caption } : { kind: "none" };
  const free = conversation.activity === "idle" && !conversation.soundBlocked;
  if (options.suggestions && !asked && free) return { kind: "suggestions" };
  if (!options.captions) return { kind: "none" };
  if (last?.role === "visitor") return { kind: "question", text: last.text };
  if (conversation.activity === "speaking") return { kind: "none" };
  const said = conversation.lastWords || last?.text;
  if (!said) return { kind: "text", key: "type_hint", hint: null };
  // An answer that could not be spoken has no captions: its own text is shown instead.
  const spoken = conversation.lastWords !== "" && (last?.text.includes(conversation.lastWords) ?? true);
  return { kind: "answer", text: spoken ? conversation.lastWords : (last?.text ?? said), hint: !asked };
}
