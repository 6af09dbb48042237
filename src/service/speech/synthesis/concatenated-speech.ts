import type { TimedViseme, TimedWord } from "../../../protocol/speech.ts";
import type { Speech } from "../speech-synthesizer.ts";

/** A word or viseme moved in time, never before 0. `offsetMs` may be negative. */
export function shifted<Timed extends { start: number; end: number }>(timed: Timed, offsetMs: number): Timed {
  return { ...timed, start: Math.max(0, timed.start + offsetMs), end: Math.max(0, timed.end + offsetMs) };
}

/** A word or viseme of speech that is played in another time. */
export function scaled<Timed extends { start: number; end: number }>(timed: Timed, factor: number): Timed {
  return { ...timed, start: timed.start * factor, end: timed.end * factor };
}

/** Joins pieces of speech into one. Times are offset by the exact number of samples before each piece. */
export function concatenatedSpeech(pieces: readonly Speech[]): Speech {
  const sampleRateHz = pieces.find(({ pcm }) => pcm.length > 0)?.sampleRateHz ?? 16_000;
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.pcm.length, 0));
  const words: TimedWord[] = [];
  const visemes: TimedViseme[] = [];
  let samples = 0;
  for (const piece of pieces) {
    const offsetMs = (samples * 1_000) / sampleRateHz;
    words.push(...piece.words.map((word) => shifted(word, offsetMs)));
    visemes.push(...piece.visemes.map((viseme) => shifted(viseme, offsetMs)));
    pcm.set(piece.pcm, samples);
    samples += piece.pcm.length;
  }
  return { sampleRateHz, pcm, words, visemes };
}
