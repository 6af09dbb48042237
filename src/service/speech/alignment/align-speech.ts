import type { TimedViseme, TimedWord, Viseme } from "../../../protocol/speech/speech.ts";
import {
  featureRateHz,
  frameStepMs,
  loudFrames,
  type SpeechFeatures,
  speechFeatures,
} from "./speech-features.ts";
import type { DecodedAudio } from "../../audio/decoded-audio.ts";
import { resample } from "../../audio/resampler.ts";
import type { Speech } from "../speech-synthesizer.ts";
import { warpOf } from "./time-warping.ts";

/** A mouth shape shorter than this is merged into the previous one. */
const shortestMs = 50;

/** A spectrum's centre of gravity above this means a hissing sound. */
const hissHz = 3_200;
/** Below this, a vowel is rounded. */
const roundedHz = 650;

/** How open the mouth is, by how many dB a frame is below the loudest. */
const openness: readonly (readonly [belowDb: number, viseme: Viseme])[] = [
  [8, "aa"],
  [14, "E"],
  [22, "ih"],
  [40, "nn"],
];

function shapeOf(levelDb: number, peakDb: number, centreHz: number): Viseme {
  if (centreHz > hissHz) return "SS";
  const [, shape] = openness.find(([belowDb]) => peakDb - levelDb < belowDb) ?? openness.at(-1)!;
  if (centreHz < roundedHz) return shape === "aa" ? "oh" : shape === "E" ? "ou" : shape;
  return shape;
}

/** The smoothed loudness, so that the mouth does not jump on single frames. */
function smoothed(levels: Float32Array): Float32Array {
  return levels.map((level, index) => {
    const [before, after] = [levels[index - 1] ?? level, levels[index + 1] ?? level];
    return (before + 2 * level + after) / 4;
  });
}

/** Mouth shapes from loudness, with only a rough guess at the sound. Used for speech whose text is not known. */
function estimatedVisemes({ frames, levelDb, centreHz }: SpeechFeatures, durationMs: number): TimedViseme[] {
  const loud = loudFrames(levelDb);
  const levels = smoothed(levelDb);
  const peakDb = levels.reduce((most, level) => Math.max(most, level), -100);
  const visemes: TimedViseme[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const viseme = loud[frame] ? shapeOf(levels[frame]!, peakDb, centreHz[frame]!) : "sil";
    const last = visemes.at(-1);
    const start = frame * frameStepMs;
    if (last && (last.viseme === viseme || start - last.start < shortestMs)) last.end = start + frameStepMs;
    else visemes.push({ viseme, start, end: start + frameStepMs });
  }
  const last = visemes.at(-1);
  if (last) last.end = durationMs;
  return visemes.filter(({ start, end }) => end > start);
}

/** A text's words distributed over the loud frames, each as long as its share of the letters. */
function estimatedWords(text: string, { frames, levelDb }: SpeechFeatures): TimedWord[] {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const loud = loudFrames(levelDb);
  const spoken = Array.from({ length: frames }, (_, frame) => frame).filter((frame) => loud[frame]);
  if (spoken.length === 0) return words.map((word) => ({ text: word, start: 0, end: 0 }));
  const total = words.reduce((sum, word) => sum + word.length, 0);
  const timeOf = (letters: number, atEnd: boolean): number => {
    const place = Math.min(
      spoken.length - 1,
      Math.floor((letters / total) * spoken.length) - (atEnd ? 1 : 0),
    );
    return (spoken[Math.max(0, place)]! + (atEnd ? 1 : 0)) * frameStepMs;
  };
  let before = 0;
  return words.map((word) => {
    const start = timeOf(before, false);
    before += word.length;
    return { text: word, start, end: Math.max(start, timeOf(before, true)) };
  });
}

/** Silence of at least this length is a pause; the closure before a plosive is shorter. */
const pauseMinMs = 150;

/** A stretch of time, in ms. */
interface Span {
  start: number;
  end: number;
}

/** The pauses of a speaker: silence between loud frames. */
export function speechPauses({ frames, levelDb }: SpeechFeatures): Span[] {
  const loud = loudFrames(levelDb);
  const pauses: Span[] = [];
  let quietFrom = -1;
  for (let frame = loud.indexOf(true); frame >= 0 && frame < frames; frame++)
    if (!loud[frame]) {
      if (quietFrom < 0) quietFrom = frame;
    } else {
      if (quietFrom >= 0 && (frame - quietFrom) * frameStepMs >= pauseMinMs)
        pauses.push({ start: quietFrom * frameStepMs, end: frame * frameStepMs });
      quietFrom = -1;
    }
  return pauses;
}

/** The parts of a time span outside a pause: none, one or two. */
function outside<Timed extends Span>(thing: Timed, pause: Span): Timed[] {
  if (pause.end <= thing.start || pause.start >= thing.end) return [thing];
  const parts = [
    { ...thing, end: pause.start },
    { ...thing, start: pause.end },
  ];
  return parts.filter(({ start, end }) => end > start);
}

/** Mouth shapes with rests: a shape in a pause is removed, and the mouth is at rest there. */
export function restingIn(pauses: readonly Span[], visemes: readonly TimedViseme[]): TimedViseme[] {
  const spoken = pauses.reduce(
    (parts, pause) => parts.flatMap((part) => outside(part, pause)),
    visemes.filter(({ viseme }) => viseme !== "sil"),
  );
  const quiet = visemes.filter(({ viseme }) => viseme === "sil");
  const rest = pauses
    .flatMap((pause) =>
      quiet.reduce((parts, known) => parts.flatMap((part) => outside(part, known)), [pause]),
    )
    .map((span) => ({ viseme: "sil" as const, ...span }));
  return [...spoken, ...quiet, ...rest].sort((a, b) => a.start - b.start);
}

/** Words that start and end with their sound: a pause at the edge of a word belongs to no word. */
export function clearOf(pauses: readonly Span[], words: readonly TimedWord[]): TimedWord[] {
  return words.map((word) => {
    const parts = pauses.reduce<TimedWord[]>(
      (rest, pause) => rest.flatMap((part) => outside(part, pause)),
      [word],
    );
    // A word with a pause inside gets the position of its longest part.
    const longest = parts.sort((a, b) => b.end - b.start - (a.end - a.start))[0];
    return longest ?? { ...word, end: word.start };
  });
}

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
