import type { TimedViseme, TimedWord } from "../../../protocol/speech/speech.ts";
import type { Speech, SpeechRequest } from "../speech-synthesizer.ts";

/** A word or viseme moved in time, never before 0. `offsetMs` may be negative. */
function shifted<Timed extends { start: number; end: number }>(timed: Timed, offsetMs: number): Timed {
  return { ...timed, start: Math.max(0, timed.start + offsetMs), end: Math.max(0, timed.end + offsetMs) };
}

/** A word or viseme of speech that is played in another time. */
function scaled<Timed extends { start: number; end: number }>(timed: Timed, factor: number): Timed {
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

/** How much silence stays before the first sound and after the last one. Together they are the pause between two sentences. */
const leadMs = 20;
const trailMs = 200;

/** Samples below this (−48 dB of full scale) are silent. */
const silent = 130;

/** Both ends fade over this time, so that no click is heard where the audio is cut. It is no longer than the silence that stays. */
const fadeMs = 20;

/** Speech without long silence at its ends, so that sentences follow each other without a gap. Silence stays as it is. */
export function trimmedSpeech<Spoken extends Speech>(speech: Spoken): Spoken {
  const { pcm, sampleRateHz } = speech;
  const first = pcm.findIndex((sample) => Math.abs(sample) > silent);
  if (first < 0) return speech;
  const last = pcm.findLastIndex((sample) => Math.abs(sample) > silent);
  const samplesOf = (ms: number): number => Math.round((ms * sampleRateHz) / 1_000);
  const start = Math.max(0, first - samplesOf(leadMs));
  const end = Math.min(pcm.length, last + 1 + samplesOf(trailMs));
  const lengthMs = ((end - start) * 1_000) / sampleRateHz;
  const moved = <Timed extends { start: number; end: number }>(timed: readonly Timed[]): Timed[] =>
    timed
      .map((each) => shifted(each, (-start * 1_000) / sampleRateHz))
      .map((each) => ({ ...each, start: Math.min(each.start, lengthMs), end: Math.min(each.end, lengthMs) }));
  return {
    ...speech,
    pcm: faded(pcm.slice(start, end), samplesOf(fadeMs)),
    words: moved(speech.words),
    visemes: moved(speech.visemes).filter((viseme) => viseme.end > viseme.start),
  };
}

function faded(pcm: Int16Array, length: number): Int16Array {
  for (let i = 0; i < Math.min(length, pcm.length / 2); i++) {
    const share = i / length;
    pcm[i] = Math.round((pcm[i] ?? 0) * share);
    const opposite = pcm.length - 1 - i;
    pcm[opposite] = Math.round((pcm[opposite] ?? 0) * share);
  }
  return pcm;
}

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
