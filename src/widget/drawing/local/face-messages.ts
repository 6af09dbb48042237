import type { ClientMessage, ServerMessage } from "../../../protocol/data-channel.ts";
import { drawnSpeechSchema } from "../../../protocol/drawn-speech.ts";
import type { Behaviour, SpeechTimeline, TimedViseme, TimedWord } from "../../../puppet/index.ts";

/** How long the avatar looks as if it were thinking after a recording, unless the client says what it does. */
const thinkingMs = 12_000;
/** A word without mouth shapes opens the mouth so often. */
const syllableMs = 140;

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

/** The face follows what the service hears and says. Returns the loudness of a speech that begins. */
export function followReceived(
  face: Behaviour,
  message: ServerMessage,
  nowMs: number,
): readonly number[] | undefined {
  if (message.type === "stt") {
    if (message.data.text.trim()) face.hearWords(nowMs, message.data.text);
    else face.setActivity("idle");
  }
  if (message.type !== "stf" || message.data.duration === 0) return undefined;
  const timeline = timelineOf(message.data);
  face.speak(timeline, nowMs);
  return timeline.loudness ?? [];
}

/** What is spoken. A notice without mouth shapes has words: the mouth opens and closes with them. */
function timelineOf(data: object): SpeechTimeline {
  const { words = [], visemes = [], accents, loudness } = drawnSpeechSchema.safeParse(data).data ?? {};
  return { words, visemes: visemes.length > 0 ? visemes : words.flatMap(syllables), accents, loudness };
}

function syllables({ start, end }: TimedWord): TimedViseme[] {
  const count = Math.max(1, Math.round((end - start) / syllableMs));
  const each = (end - start) / count;
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * each;
    return [
      { viseme: i % 2 ? "E" : "aa", start: at, end: at + each * 0.6 },
      { viseme: "DD", start: at + each * 0.6, end: at + each },
    ] as const;
  }).flat();
}
