import type { Speech, SpeechRequest } from "../speech-synthesizer.ts";
import { scaled } from "./concatenated-speech.ts";

/** How a text is spoken: 1 is the voice's own rate and pitch. */
export interface SpeechManner {
  readonly rate: number;
  readonly pitch: number;
}

/** The manner of a request. */
export function mannerOf({ rate = 1, pitch = 1 }: Pick<SpeechRequest, "rate" | "pitch">): SpeechManner {
  return { rate, pitch };
}

/** The name under which speech of a voice in a manner is remembered. */
export function mannerKey(voice: string, { rate, pitch }: SpeechManner): string {
  return rate === 1 && pitch === 1 ? voice : `${voice} ${rate} ${pitch}`;
}

/** Sample rates are multiples of this, so that they are cheap to convert for playback. */
const rateStepHz = 100;

/**
 * Speech at another pitch, for a voice that cannot change it: the same samples at another rate. The speech also gets faster by the
 * factor, so the voice has to speak slower by it; and it sounds a little like a larger or smaller person.
 */
export function repitched<Spoken extends Speech>(speech: Spoken, pitch: number): Spoken {
  if (pitch === 1) return speech;
  const sampleRateHz = Math.round((speech.sampleRateHz * pitch) / rateStepHz) * rateStepHz;
  const factor = speech.sampleRateHz / sampleRateHz;
  return {
    ...speech,
    sampleRateHz,
    words: speech.words.map((word) => scaled(word, factor)),
    visemes: speech.visemes.map((viseme) => scaled(viseme, factor)),
  };
}
