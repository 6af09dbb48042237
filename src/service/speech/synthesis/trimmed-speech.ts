import type { Speech } from "../speech-synthesizer.ts";
import { shifted } from "./concatenated-speech.ts";

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
