import type { TranscriptEntry } from "../../../client/index.ts";
import { mayHoldMarkup } from "../../../markdown/markup.ts";
import type { SessionSnapshot } from "../../session/session-snapshot.ts";
import type { TextKey } from "../../texts/texts.ts";
import { isResting, type ViewOptions } from "../view.ts";

/** What the caption bar shows. */
export type CaptionBar =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly key: TextKey; readonly hint: TextKey | null }
  /** The connection is bad: what that means, and what the visitor can do. */
  | { readonly kind: "link"; readonly quality: "poor" | "lost" }
  | {
      readonly kind: "question";
      readonly entry: TranscriptEntry;
      readonly tool: string | null;
      /** The answer is not there yet. */
      readonly thinking: boolean;
    }
  | { readonly kind: "caption"; readonly text: string; readonly index: number }
  | {
      readonly kind: "answer";
      readonly text: string;
      readonly hint: boolean;
      /** The answer went wrong. */
      readonly trouble: TranscriptEntry | null;
    }
  | { readonly kind: "suggestions" };

/** The last message, if it went wrong: not sent, not answered, cut off, or not spoken. */
export function troubleOf({ transcript }: SessionSnapshot): TranscriptEntry | null {
  const last = transcript.at(-1);
  return last && (last.unspoken || /waiting|failed|cut/.test(last.status)) ? last : null;
}

/** What the caption bar shows of a session. Pure. */
export function captionBarOf(session: SessionSnapshot, options: ViewOptions): CaptionBar {
  const { state, caption } = session;
  if (state === "reconnecting") return { kind: "text", key: "reconnecting_words", hint: "reconnecting_hint" };
  if (state !== "live" && !isResting(session, options))
    return { kind: "text", key: options.offline ? "offline_words" : "connecting_words", hint: null };
  // Buttons, cards and forms are not spoken.
  const last = session.transcript.findLast(({ content }) => !content);
  const asked = session.transcript.some(({ role }) => role === "visitor");
  if (caption) return options.captions ? { kind: "caption", ...caption } : { kind: "none" };
  const free = session.activity === "idle" && !session.soundBlocked;
  const trouble = troubleOf(session);
  const { quality } = session;
  if (state === "live" && quality !== "good" && session.activity === "idle" && !trouble)
    return { kind: "link", quality };
  if (options.suggestions && !asked && free && !trouble) return { kind: "suggestions" };
  if (!options.captions && !trouble) return { kind: "none" };
  const thinking = session.activity === "thinking";
  if (last?.role === "visitor") return { kind: "question", entry: last, tool: session.tool, thinking };
  if (session.activity === "speaking") return { kind: "none" };
  const said = session.lastWords || last?.text;
  if (!said) return { kind: "text", key: "type_hint", hint: null };
  // An answer that could not be spoken has no captions: its own text is shown instead.
  // Marks are not spoken, so the words of an answer that has some are not found in it.
  const isLast = !last || last.text.includes(session.lastWords) || mayHoldMarkup(last.text);
  const spoken = session.lastWords !== "" && !trouble && isLast;
  const text = spoken ? session.lastWords : (last?.text ?? said);
  return { kind: "answer", text, hint: !asked && !trouble, trouble };
}
