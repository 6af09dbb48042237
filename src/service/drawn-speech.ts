import type { TtsResponse } from "../protocol/speech/speech.ts";
import { chooseAccents, type SpeechTimeline } from "../puppet/index.ts";

/** What a speech's timeline says to clients that draw the avatar themselves, besides its words. */
export function drawnSpeech({
  words,
  visemes,
  loudness = [],
}: SpeechTimeline): Pick<TtsResponse, "visemes" | "accents" | "loudness"> {
  return {
    visemes: visemes.map(inWholeMs),
    accents: chooseAccents(words, undefined, loudness).map((accent) => ({
      ...inWholeMs(accent),
      strength: Math.round(accent.strength * 100) / 100,
    })),
    loudness: loudness.map((level) => Math.round(level * 100) / 100),
  };
}

/** Times without fractions: nobody hears or sees those, and they would double the size of a notice. */
export function inWholeMs<Timed extends { readonly start: number; readonly end: number }>(
  timed: Timed,
): Timed {
  return { ...timed, start: Math.round(timed.start), end: Math.round(timed.end) };
}
