import type { TtsResponse } from "../protocol/speech.ts";
import { chooseAccents, type SpeechTimeline } from "../puppet/index.ts";

/** What a speech's timeline says to clients that draw the avatar themselves, besides its words. */
export function drawnSpeech({
  words,
  visemes,
  loudness = [],
}: SpeechTimeline): Pick<TtsResponse, "visemes" | "accents" | "loudness"> {
  return {
    visemes: [...visemes],
    accents: chooseAccents(words, undefined, loudness),
    loudness: loudness.map((level) => Math.round(level * 100) / 100),
  };
}
