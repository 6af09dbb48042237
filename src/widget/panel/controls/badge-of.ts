import type { SessionSnapshot } from "../../session/session-snapshot.ts";
import type { IconName } from "../../styles/icons.ts";
import type { TextKey } from "../../texts/texts.ts";
import { isResting, type View } from "../view.ts";

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

/** A badge that says the state in words. */
export function status(
  text: TextKey,
  sign: (Badge & { kind: "status" })["sign"] = null,
  interrupt = false,
): Badge {
  return { kind: "status", text, sign, interrupt };
}

/** The badge of a view. Pure. `talk`: what the visitor can do with the microphone, or what it does. */
export function badgeOf(
  session: SessionSnapshot,
  view: Pick<View, "options" | "page">,
  talk: Badge | null = null,
): Badge {
  const { state, activity, soundBlocked, quality, notice } = session;
  const isTold = !soundBlocked && activity !== "listening" && notice?.kind !== "idle";
  if (state === "live" && quality !== "good" && isTold)
    return status(`link_${quality}`, "offline", activity === "speaking");
  return talk ?? stateBadge(session, view);
}

function stateBadge(session: SessionSnapshot, { options, page }: Pick<View, "options" | "page">): Badge {
  if (page === "start" && options.beginOnPicture) return { kind: "begin" };
  if (page === "start" || page === "ended" || page === "error") return status("ai_assistant");
  const { state, activity } = session;
  if (isResting(session, options)) return status("ready");
  if (state === "reconnecting") return status("reconnecting", "offline");
  if (state !== "live") return options.offline ? status("offline", "offline") : status("connecting");
  if (session.notice?.kind === "idle") return status("idle_badge");
  if (session.soundBlocked) return { kind: "sound" };
  if (activity === "thinking") return status("thinking", "dots");
  if (activity === "speaking") return status("speaking", null, true);
  return activity === "listening" ? status("listening", "meter") : status("ready");
}
