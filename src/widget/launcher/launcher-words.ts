import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import { launcherHint } from "../../protocol/settings/launcher-hint.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import type { TextKey, Translate } from "../texts/texts.ts";

/** What a launcher's label depends on besides the session. */
interface LauncherNews {
  /** The conversation is or will be in writing. */
  readonly inWriting: boolean;
  /** How many answers the visitor has not seen. */
  readonly unread: number;
  /** How soon the conversation ends, in words; empty while it does not, or while its text is being loaded. */
  readonly timeLeft: string;
  /** The owner's settings. */
  readonly ui: Pick<UiConfig, "voice_mode" | "text_input" | "texts">;
  /** The service recognizes speech. */
  readonly recognizes: boolean | undefined;
}

/** The label of a launcher, which is also the button's accessible name. */
export interface LauncherWords {
  /** What a click does. */
  readonly title: string;
  /** What is happening in the conversation; without one, what the avatar is. */
  readonly note: string;
  /** The note is news, so the label is shown without hovering. */
  readonly isNews: boolean;
  /**
   * The words come with the panel's controls, which must be loaded. While connecting they need not: loaded then, the controls would
   * delay the first frame.
   */
  readonly needsControls: boolean;
}

function isRunning({ state }: SessionSnapshot): boolean {
  return state === "connecting" || state === "live" || state === "reconnecting";
}

function titleOf(session: SessionSnapshot, inWriting: boolean): TextKey {
  if (isRunning(session)) return "launcher_live";
  if (session.state === "idle" && session.transcript.length > 0) return "launcher_continue";
  return inWriting ? "launcher_write" : "launcher";
}

function activityOf({ state, activity, soundBlocked }: SessionSnapshot): TextKey | null {
  if (state === "reconnecting" || state === "connecting") return state;
  if (state !== "live" || soundBlocked) return null;
  return activity === "speaking" || activity === "thinking" || activity === "listening" ? activity : null;
}

/** What a launcher says of a session. Pure. */
export function launcherWords(t: Translate, session: SessionSnapshot, news: LauncherNews): LauncherWords {
  const { unread, inWriting, timeLeft, ui, recognizes } = news;
  const activity = activityOf(session);
  const notes = [activity && t(activity), unread > 0 && t("launcher_unread", { count: unread }), timeLeft];
  if (session.state === "ended" || session.state === "error") notes.push(t("launcher_over"));
  const isNews = activity !== null || Boolean(session.notice);
  return {
    title: t(titleOf(session, inWriting)),
    note: notes.filter(Boolean).join(" · ") || t(launcherHint(ui, inWriting, recognizes)),
    isNews,
    needsControls: isNews && session.state !== "connecting",
  };
}
