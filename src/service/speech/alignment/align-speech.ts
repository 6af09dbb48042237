import type { TimedViseme, TimedWord } from "../../../protocol/speech.ts";
import type { DecodedAudio } from "../../audio/decoded-audio.ts";
import { resample } from "../../audio/resampler.ts";
import { estimatedVisemes, estimatedWords } from "./speech-estimate.ts";
import {
  featureRateHz,
  frameStepMs,
  loudFrames,
  speechFeatures,
  type SpeechFeatures,
} from "./speech-features.ts";
import type { Speech } from "../speech-synthesizer.ts";
import { clearOf, restingIn, speechPauses } from "./speech-pauses.ts";
import { warpOf } from "./time-warping.ts";

/** The times of words and mouth shapes in audio. */
export interface AlignedSpeech {
  words: TimedWord[];
  visemes: TimedViseme[];
}

/** Audio without timings, its text if known, and the same text spoken by another voice, with timings. */
export interface AlignmentInput extends DecodedAudio {
  text: string;
  reference: Speech | null;
}

/** If the speech is longer or shorter than the reference by more than this factor, the two are not the same text. */
const likelyRatio = 2.5;

/**
 * Features of the spoken part, without the silence around it and most of each pause, because these say nothing about the pace.
 */
interface SpokenPart {
  features: SpeechFeatures;
  /** The index of each frame in the whole audio. */
  frames: Int32Array;
}

function featuresOf({ pcm, sampleRateHz }: DecodedAudio): SpeechFeatures {
  return speechFeatures(resample(pcm, sampleRateHz, featureRateHz));
}

/** How much of a pause is kept at both of its ends, in frames. */
const pauseEdgeFrames = 4;

function spokenPart(whole: SpeechFeatures): SpokenPart | null {
  const loud = loudFrames(whole.levelDb);
  const [first, last] = [loud.indexOf(true), loud.lastIndexOf(true)];
  if (first < 0) return null;
  const pauses = speechPauses(whole);
  const isPaused = (frame: number): boolean =>
    pauses.some(
      ({ start, end }) =>
        frame >= start / frameStepMs + pauseEdgeFrames && frame < end / frameStepMs - pauseEdgeFrames,
    );
  const frames = Int32Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (frame) => !isPaused(frame),
  );
  const size = whole.values.length / whole.frames;
  const values = new Float32Array(frames.length * size);
  frames.forEach((frame, index) =>
    values.set(whole.values.subarray(frame * size, (frame + 1) * size), index * size),
  );
  const of = (per: Float32Array): Float32Array => Float32Array.from(frames, (frame) => per[frame]!);
  return {
    frames,
    features: { frames: frames.length, values, levelDb: of(whole.levelDb), centreHz: of(whole.centreHz) },
  };
}

/** The position of a time in the whole audio, counted in frames of the spoken part. */
function placeOf({ frames }: SpokenPart, ms: number): number {
  const frame = ms / frameStepMs;
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle]! + 1 <= frame) low = middle + 1;
    else high = middle;
  }
  return low === frames.length ? low : low + Math.max(0, frame - frames[low]!);
}

/** The time in the whole audio, in ms, of a position in the frames of the spoken part. */
function momentOf({ frames }: SpokenPart, place: number): number {
  const index = Math.min(frames.length - 1, Math.floor(place));
  return (frames[index]! + place - index) * frameStepMs;
}

/** Maps the times of words or shapes, and keeps them in order and within the audio. */
function moved<Timed extends { start: number; end: number }>(
  things: readonly Timed[],
  timeOf: (ms: number) => number,
): Timed[] {
  return things.map((thing) => ({ ...thing, start: timeOf(thing.start), end: timeOf(thing.end) }));
}

/** Mouth shapes that fill the audio from its start to its end. */
function gapless(visemes: TimedViseme[], durationMs: number): TimedViseme[] {
  const first = visemes[0];
  const last = visemes.at(-1);
  if (!first || !last) return [{ viseme: "sil", start: 0, end: durationMs }];
  const filled =
    first.start > 0 ? [{ viseme: "sil" as const, start: 0, end: first.start }, ...visemes] : visemes;
  if (last.end < durationMs) filled.push({ viseme: "sil", start: last.end, end: durationMs });
  const kept: TimedViseme[] = [];
  for (const viseme of filled) {
    const before = kept.at(-1);
    if (before?.viseme === viseme.viseme) before.end = viseme.end;
    else if (viseme.end > viseme.start) kept.push({ ...viseme });
  }
  return kept;
}

/** The reference's timings mapped onto the audio; null when the two cannot be the same text. */
function guided(whole: SpeechFeatures, reference: Speech, durationMs: number): AlignedSpeech | null {
  const [target, model] = [spokenPart(whole), spokenPart(featuresOf(reference))];
  if (!target || !model) return null;
  const ratio = target.features.frames / model.features.frames;
  if (ratio > likelyRatio || ratio < 1 / likelyRatio) return null;
  const warp = warpOf(model.features, target.features);
  const timeOf = (ms: number): number => Math.min(durationMs, momentOf(target, warp(placeOf(model, ms))));
  const visemes = moved(reference.visemes, timeOf).filter(({ start, end }) => end > start);
  const pauses = speechPauses(whole);
  return {
    words: clearOf(pauses, moved(reference.words, timeOf)),
    visemes: gapless(restingIn(pauses, visemes), durationMs),
  };
}

/**
 * Finds words and mouth shapes in audio: by comparison with the same text in another voice if available (dynamic time warping),
 * else from loudness. Synchronous; takes some ms for each second of audio.
 */
export function alignSpeech({ pcm, sampleRateHz, text, reference }: AlignmentInput): AlignedSpeech {
  if (pcm.length === 0) return { words: [], visemes: [] };
  const durationMs = (pcm.length * 1_000) / sampleRateHz;
  const features = featuresOf({ pcm, sampleRateHz });
  const aligned = reference && guided(features, reference, durationMs);
  return (
    aligned ?? {
      words: estimatedWords(text, features),
      visemes: gapless(estimatedVisemes(features, durationMs), durationMs),
    }
  );
}
