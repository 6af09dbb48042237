import type { TimedViseme, TimedWord, Viseme } from "../../../protocol/speech.ts";
import { frameStepMs, loudFrames, type SpeechFeatures } from "./speech-features.ts";

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
export function estimatedVisemes(
  { frames, levelDb, centreHz }: SpeechFeatures,
  durationMs: number,
): TimedViseme[] {
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
export function estimatedWords(text: string, { frames, levelDb }: SpeechFeatures): TimedWord[] {
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
