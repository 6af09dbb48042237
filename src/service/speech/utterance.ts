import type { TimedViseme, TimedWord } from "../../protocol/speech.ts";
import type { FliteSpeech } from "./flite-program.ts";
import { visemesOf } from "./phone-visemes.ts";
import type { Speech } from "./speech-synthesizer.ts";
import type { SpokenToken } from "./spoken-text.ts";
import { alignWords } from "./word-alignment.ts";

/** Silence that is kept before the first sound, in ms: Flite's own 0.2 s would only delay it. */
const leadingSilenceMs = 20;

/** The speech of some words that Flite spoke: one timed word for each token, its text as written. */
export function utteranceOf(
  tokens: readonly SpokenToken[],
  { pcm, sampleRateHz, phones }: FliteSpeech,
  pronunciations: readonly string[][],
): Speech {
  const words = alignWords(phones, pronunciations).map((span, index) => ({
    text: tokens[index]!.written,
    start: span.start,
    end: span.end,
  }));
  const visemes = closedTo(visemesOf(phones), (pcm.length * 1_000) / sampleRateHz);
  return { sampleRateHz, pcm, words, visemes };
}

/** What words that cannot be said become: no sound, and no time. */
export function silentUtterance(tokens: readonly SpokenToken[]): Speech {
  return { sampleRateHz: 16_000, pcm: new Int16Array(0), words: silent(tokens), visemes: [] };
}

function silent(tokens: readonly SpokenToken[]): TimedWord[] {
  return tokens.map(({ written }) => ({ text: written, start: 0, end: 0 }));
}

/** Visemes that end exactly with the audio: Flite rounds its times to milliseconds. */
function closedTo(visemes: TimedViseme[], durationMs: number): TimedViseme[] {
  const inside = visemes.filter(({ start }) => start < durationMs);
  const last = inside.at(-1);
  if (last) last.end = durationMs;
  return inside;
}

/** One speech of several pieces, one after another, without the silence before its first sound. */
export function joinPieces(pieces: readonly Speech[]): Speech {
  return withoutLead(concatenated(pieces));
}

/** One speech of several pieces, one after another, their times offset exactly by the samples before them. */
export function concatenated(pieces: readonly Speech[]): Speech {
  const sampleRateHz = pieces.find(({ pcm }) => pcm.length > 0)?.sampleRateHz ?? 16_000;
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.pcm.length, 0));
  const words: TimedWord[] = [];
  const visemes: TimedViseme[] = [];
  let samples = 0;
  for (const piece of pieces) {
    const offsetMs = (samples * 1_000) / sampleRateHz;
    words.push(...piece.words.map((word) => moved(word, offsetMs)));
    visemes.push(...piece.visemes.map((viseme) => moved(viseme, offsetMs)));
    pcm.set(piece.pcm, samples);
    samples += piece.pcm.length;
  }
  return { sampleRateHz, pcm, words, visemes };
}

function withoutLead(speech: Speech): Speech {
  const first = speech.visemes[0];
  const silenceMs = first?.viseme === "sil" ? first.end : 0;
  const cutSamples = Math.round((Math.max(0, silenceMs - leadingSilenceMs) * speech.sampleRateHz) / 1_000);
  const offsetMs = (-cutSamples * 1_000) / speech.sampleRateHz;
  return {
    sampleRateHz: speech.sampleRateHz,
    pcm: speech.pcm.slice(cutSamples),
    words: speech.words.map((word) => moved(word, offsetMs)),
    visemes: speech.visemes.map((viseme) => moved(viseme, offsetMs)),
  };
}

function moved<Timed extends { start: number; end: number }>(timed: Timed, offsetMs: number): Timed {
  return { ...timed, start: Math.max(0, timed.start + offsetMs), end: Math.max(0, timed.end + offsetMs) };
}
