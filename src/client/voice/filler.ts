import { turnSettingsOf } from "../../protocol/settings/turn-settings.ts";
import type { SessionEvents } from "../session-events.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { TypedEvents } from "../typed-events.ts";

/**
 * Lets the avatar say one of the owner's short texts while an answer takes time, once for each question. It is heard and captioned,
 * but belongs to no entry of the transcript: the language model never sees it.
 *
 * @returns stops it
 */
export function fillWaits(
  voice: unknown,
  conversation: Conversation,
  events: TypedEvents<SessionEvents>,
): () => void {
  const { filler_texts: texts, filler_after_ms: afterMs } = turnSettingsOf(voice);
  let next = Math.floor(Math.random() * texts.length);
  let isFilled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function fill(): void {
    const { speech, line } = conversation;
    const text = texts[next++ % texts.length];
    if (!text || !speech || !line?.speaks || speech.pending || speech.rest === "silent") return;
    isFilled = true;
    speech.enqueue({ entryId: "", text, placeOf: () => 0 });
    line.deliver({ type: "ttstf", data: { message: text } });
  }

  const stops = [
    events.on("message", ({ message }) => {
      // A spoken question is waited for before it is a message.
      if (message.role === "visitor" && conversation.activity !== "thinking") isFilled = false;
    }),
    events.on("activitychange", ({ activity }) => {
      clearTimeout(timer);
      if (activity === "idle" || activity === "listening") isFilled = false;
      if (activity === "thinking" && !isFilled) timer = setTimeout(fill, afterMs);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
