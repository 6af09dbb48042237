import type { TimedViseme, TimedWord } from "../../../../protocol/speech.ts";
import type { FliteSpeech } from "./flite-program.ts";
import { visemesOf } from "./phone-visemes.ts";
import type { Speech } from "../../speech-synthesizer.ts";
import type { SpokenToken } from "./spoken-text.ts";
import { alignWords } from "./word-alignment.ts";

/** The speech of some words from Flite: one timed word for each token, with its text as written. */
export function utteranceOf(
  tokens: readonly SpokenToken[],
  { pcm, sampleRateHz, phones }: FliteSpeech,
  pronunciations: readonly string[][],
): Speech {
  const words = alignWords(phones, pronunciations).map((span, index) => ({
    text: tokens[index]?.written ?? "",
    start: span.start,
    end: span.end,
  }));
  const visemes = closedTo(visemesOf(phones), (pcm.length * 1_000) / sampleRateHz);
  return { sampleRateHz, pcm, words, visemes };
}

/** The result for words that cannot be spoken: no sound and no duration. */
export function silentUtterance(tokens: readonly SpokenToken[]): Speech {
  return { sampleRateHz: 16_000, pcm: new Int16Array(0), words: silent(tokens), visemes: [] };
}

function silent(tokens: readonly SpokenToken[]): TimedWord[] {
  return tokens.map(({ written }) => ({ text: written, start: 0, end: 0 }));
}

/** Visemes that end exactly with the audio, because Flite rounds its times to milliseconds. */
function closedTo(visemes: TimedViseme[], durationMs: number): TimedViseme[] {
  const inside = visemes.filter(({ start }) => start < durationMs);
  const last = inside.at(-1);
  if (last) last.end = durationMs;
  return inside;
}
