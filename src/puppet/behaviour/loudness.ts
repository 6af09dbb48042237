import { clamp } from "../math.ts";
import type { Loudness } from "./speech-timeline.ts";

/** The time of one value of `Loudness`, in ms. */
export const loudnessStepMs = 20;

/** This many dB below the loud parts, speech counts as silent. */
const rangeDb = 26;

/** The loudness where it is unknown. */
export const unknownLoudness = 0.7;

/** The share of the steps that are louder than what counts as loud. */
const loudShare = 0.08;

/** The loudness of mono audio, relative to its own loud parts. A quiet recording therefore moves the mouth as far as a loud one. */
export function speechLoudness(pcm: Int16Array, sampleRateHz: number): Loudness {
  const perStep = Math.max(1, Math.round((sampleRateHz * loudnessStepMs) / 1000));
  const levels: number[] = [];
  for (let at = 0; at < pcm.length; at += perStep) levels.push(levelDb(pcm.subarray(at, at + perStep)));
  const loudest = [...levels].sort((a, b) => b - a);
  const loud = loudest[Math.floor(levels.length * loudShare)] ?? 0;
  return levels.map((level) => clamp(1 + (level - loud) / rangeDb));
}

function levelDb(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return 10 * Math.log10(sum / samples.length + 1);
}

/** The mean loudness between two times, in ms from the beginning. */
export function loudnessBetween(loudness: Loudness | undefined, startMs: number, endMs: number): number {
  if (!loudness || loudness.length === 0) return unknownLoudness;
  const first = clamp(Math.floor(startMs / loudnessStepMs), 0, loudness.length - 1);
  const last = clamp(Math.ceil(endMs / loudnessStepMs) - 1, first, loudness.length - 1);
  const steps = loudness.slice(first, last + 1);
  return steps.reduce((sum, step) => sum + step, 0) / steps.length;
}
