import type { SessionSnapshot } from "../session/session-snapshot.ts";

export type Ring =
  | "idle"
  | "connecting"
  | "listening"
  | "thinking"
  | "speaking"
  | "reconnecting"
  | "muted"
  | "ending"
  /** A person has joined; their line is lost. */
  | "two"
  | "two-lost";
type Page = "start" | "conversation" | "more" | "settings" | "ended" | "error";

/** What the panel shows of a session, without markup. */
export interface View {
  readonly page: Page;
  readonly ring: Ring;
  /** How much of the ring is drawn, in percent: more and more while connecting, less and less during a countdown. */
  readonly ringPercent: number;
  /** What it was derived from besides the session. */
  readonly options: ViewOptions;
  readonly canType: boolean;
}

/** What a view depends on besides the session. */
export interface ViewOptions {
  /** The visitor has asked to start: "idle" means "about to connect". */
  readonly starting: boolean;
  readonly moreOpen: boolean | "settings";
  readonly captions: boolean;
  readonly textInput: boolean;
  readonly suggestions: boolean;
  /** The conversation starts by one button on the picture instead of a start page. */
  readonly beginOnPicture: boolean;
  /** The browser has no network. */
  readonly offline: boolean;
}

const ringPercents = { room: 40, avatar: 72, sound: 100 } as const;

/** The view of a session. Pure. */
export function viewOf(session: SessionSnapshot, options: ViewOptions): View {
  const page = pageOf(session, options);
  return {
    page,
    ring: ringOf(session, options),
    // A countdown has 20 s.
    ringPercent: session.notice ? session.notice.leftSec * 5 : session.step ? ringPercents[session.step] : 8,
    options,
    canType: options.textInput && (page === "conversation" || page === "more" || page === "settings"),
  };
}

/** The conversation of an earlier page is there, and no session: the next message begins one. */
export function isResting({ state, transcript }: SessionSnapshot, { starting }: ViewOptions): boolean {
  return state === "idle" && transcript.length > 0 && !starting;
}

function pageOf(session: SessionSnapshot, options: ViewOptions): Page {
  const { state } = session;
  const { starting, moreOpen } = options;
  const talking = moreOpen ? (moreOpen === true ? "more" : moreOpen) : "conversation";
  if (isResting(session, options)) return talking;
  if (state === "error" || state === "ended") return starting ? "conversation" : state;
  if (state === "idle" && !starting) return "start";
  return talking;
}

function ringOf({ state, activity, soundBlocked }: SessionSnapshot, { starting }: ViewOptions): Ring {
  if (state === "live") return soundBlocked ? "speaking" : activity;
  if (state === "connecting" || starting) return "connecting";
  return state === "reconnecting" || state === "error" ? "reconnecting" : "idle";
}
