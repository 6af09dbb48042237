import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import type { IconName } from "../styles/icons.ts";
import type { TextKey } from "../texts/texts.ts";

export type Ring = "idle" | "connecting" | "listening" | "thinking" | "speaking" | "reconnecting" | "muted";
type Page = "start" | "conversation" | "more" | "ended" | "error";

/** The badge on the ring's lower edge: the state in words, or one main action. */
export type Badge =
  | {
      readonly kind: "status";
      readonly text: TextKey;
      readonly sign: "dots" | "meter" | IconName | null;
      readonly interrupt: boolean;
    }
  | { readonly kind: "sound" }
  | { readonly kind: "begin" };

/** What the caption bar shows. */
export type CaptionBar =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly key: TextKey; readonly hint: TextKey | null }
  | { readonly kind: "question"; readonly text: string; readonly fault: VisavisErrorCode | null }
  | { readonly kind: "caption"; readonly text: string; readonly index: number }
  | { readonly kind: "answer"; readonly text: string; readonly hint: boolean }
  | { readonly kind: "suggestions" };

/** What the panel shows of a session, without markup. */
export interface View {
  readonly page: Page;
  readonly ring: Ring;
  /** How much of the ring is closed while connecting, in percent. */
  readonly ringPercent: number;
  readonly badge: Badge;
  readonly captionBar: CaptionBar;
  readonly canType: boolean;
}

/** What a view depends on besides the session. */
export interface ViewOptions {
  /** The visitor has asked to start: "idle" means "about to connect". */
  readonly starting: boolean;
  readonly moreOpen: boolean;
  readonly captions: boolean;
  readonly textInput: boolean;
  readonly suggestions: boolean;
  /** The conversation starts by one button on the picture instead of a start page. */
  readonly beginOnPicture: boolean;
}

const ringPercents = { room: 40, avatar: 72, sound: 100 } as const;

/** The view of a session. Pure. */
export function viewOf(session: SessionSnapshot, options: ViewOptions): View {
  const page = pageOf(session, options);
  return {
    page,
    ring: ringOf(session, options),
    ringPercent: session.step ? ringPercents[session.step] : 8,
    badge: badgeOf(session, options, page),
    captionBar: captionBarOf(session, options),
    canType: options.textInput && (page === "conversation" || page === "more"),
  };
}

function pageOf({ state }: SessionSnapshot, { starting, moreOpen }: ViewOptions): Page {
  if (state === "error" || state === "ended") return starting ? "conversation" : state;
  if (state === "idle" && !starting) return "start";
  return moreOpen ? "more" : "conversation";
}

function ringOf({ state, activity, soundBlocked }: SessionSnapshot, { starting }: ViewOptions): Ring {
  if (state === "live") return soundBlocked ? "speaking" : activity;
  if (state === "connecting" || starting) return "connecting";
  return state === "reconnecting" || state === "error" ? "reconnecting" : "idle";
}

function status(text: TextKey, sign: (Badge & { kind: "status" })["sign"] = null, interrupt = false): Badge {
  return { kind: "status", text, sign, interrupt };
}

function badgeOf(session: SessionSnapshot, options: ViewOptions, page: Page): Badge {
  if (page === "start") return options.beginOnPicture ? { kind: "begin" } : status("ai_assistant");
  const { state, activity } = session;
  if (state === "reconnecting") return status("reconnecting", "offline");
  if (state !== "live") return status("connecting");
  if (session.soundBlocked) return { kind: "sound" };
  if (activity === "thinking") return status("thinking", "dots");
  if (activity === "speaking") return status("speaking", null, true);
  return activity === "listening" ? status("listening", "meter") : status("ready");
}

/** Why the visitor's last question has no answer; null while one may come. */
export function faultOf({ error, activity, transcript }: SessionSnapshot): VisavisErrorCode | null {
  const last = transcript.at(-1);
  const failed = last?.role === "visitor" && activity === "idle" && error && error.atMs >= last.at;
  return failed ? error.code : null;
}

function captionBarOf(session: SessionSnapshot, options: ViewOptions): CaptionBar {
  const { state, caption } = session;
  if (state === "reconnecting") return { kind: "text", key: "reconnecting_words", hint: "reconnecting_hint" };
  if (state !== "live") return { kind: "text", key: "connecting_words", hint: null };
  const last = session.transcript.at(-1);
  const asked = session.transcript.some(({ role }) => role === "visitor");
  if (caption) return options.captions ? { kind: "caption", ...caption } : { kind: "none" };
  const free = session.activity === "idle" && !session.soundBlocked;
  if (options.suggestions && !asked && free) return { kind: "suggestions" };
  const fault = faultOf(session);
  if (!options.captions && !fault) return { kind: "none" };
  if (last?.role === "visitor") return { kind: "question", text: last.text, fault };
  if (session.activity === "speaking") return { kind: "none" };
  const said = session.lastWords || last?.text;
  if (!said) return { kind: "text", key: "type_hint", hint: null };
  // An answer that could not be spoken has no captions: its own text is shown instead.
  const spoken = session.lastWords !== "" && (last?.text.includes(session.lastWords) ?? true);
  return { kind: "answer", text: spoken ? session.lastWords : (last?.text ?? said), hint: !asked };
}
