import type { ClientMessage, ServerMessage } from "../../../protocol/data-channel.ts";
import { drawnSpeechSchema } from "../../../protocol/drawn-speech.ts";
import type { Behaviour } from "../../../puppet/index.ts";

/** How long the avatar looks as if it were thinking after a recording, unless the client says what it does. */
const thinkingMs = 12_000;

/** The face follows what the client sends, as the service's own face does. */
export function followSent(face: Behaviour, message: ClientMessage, nowMs: number): void {
  switch (message.type) {
    case "ttstf":
    case "stf":
      face.prepareToSpeak(nowMs);
      break;
    case "clear-buffer":
      face.stopSpeaking(nowMs);
      break;
    case "record-start":
      face.setActivity("listening");
      break;
    case "record-end-stt":
    case "record-end-translate":
      face.setActivity("thinking", nowMs + thinkingMs);
      break;
    case "activity":
      face.setActivity(message.data.activity);
      break;
    case "motion":
      face.setReducedMotion(message.data.reduced);
      break;
    case "expression":
      if (message.data.mood) face.setMood(message.data.mood, nowMs);
      if (message.data.expression) face.express(message.data.expression, nowMs);
      break;
  }
}

/**
 * The face follows what the service hears and says. Returns the loudness of a speech that begins; null if the notice does not say what to
 * draw: then the face does not speak yet.
 */
export function followReceived(
  face: Behaviour,
  message: ServerMessage,
  nowMs: number,
): readonly number[] | null | undefined {
  if (message.type === "stt") {
    if (message.data.text.trim()) face.hearWords(nowMs, message.data.text);
    else face.setActivity("idle");
  }
  if (message.type !== "stf" || message.data.duration === 0) return undefined;
  const { words = [], visemes, loudness, accents } = drawnSpeechSchema.safeParse(message.data).data ?? {};
  if (!visemes?.length) return null;
  face.speak({ words, visemes, accents, loudness }, nowMs);
  return loudness ?? [];
}
