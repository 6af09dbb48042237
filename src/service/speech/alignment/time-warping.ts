import { featureCount, type SpeechFeatures } from "./speech-features.ts";

/** How far the path may leave the diagonal: a fraction of the length, within limits in frames. */
const bandPart = 0.15;
const bandMinFrames = 80;
const bandMaxFrames = 1_200;

/** The cost of a step forward in both utterances. A step in only one costs 1, and a diagonal step replaces two of these. */
const diagonalWeight = 1.3;

const diagonal = 0;
const waiting = 1;
const skipping = 2;

/** Which frames of one utterance (rows) sound like which frames of another (columns), and the table to compute this. */
interface Warp {
  rows: number;
  columns: number;
  /** First column of each row's section of the table. */
  firsts: Int32Array;
  width: number;
  /** The previous step on the best path to each cell. */
  steps: Uint8Array;
}

function distance(a: SpeechFeatures, row: number, b: SpeechFeatures, column: number): number {
  let sum = 0;
  const [from, to] = [row * featureCount, column * featureCount];
  for (let index = 0; index < featureCount; index++) {
    const difference = a.values[from + index]! - b.values[to + index]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

function emptyWarp(rows: number, columns: number): Warp {
  const band = Math.min(bandMaxFrames, Math.max(bandMinFrames, Math.round(columns * bandPart)));
  const width = Math.min(columns, 2 * band + 1);
  const firsts = Int32Array.from({ length: rows }, (_, row) => {
    const middle = rows === 1 ? 0 : Math.round((row * (columns - 1)) / (rows - 1));
    return Math.max(0, Math.min(columns - width, middle - band));
  });
  return { rows, columns, firsts, width, steps: new Uint8Array(rows * width) };
}

/** Fills the table row by row (dynamic time warping within a band; Sakoe and Chiba, 1978). */
function fill(warp: Warp, a: SpeechFeatures, b: SpeechFeatures): void {
  const { rows, firsts, width, steps } = warp;
  let above = new Float32Array(width).fill(Infinity);
  for (let row = 0; row < rows; row++) {
    const costs = new Float32Array(width).fill(Infinity);
    const first = firsts[row]!;
    const shift = row === 0 ? 0 : first - firsts[row - 1]!;
    for (let cell = 0; cell < width; cell++) {
      const cost = distance(a, row, b, first + cell);
      const across = (above[cell + shift - 1] ?? Infinity) + cost * diagonalWeight;
      const down = (above[cell + shift] ?? Infinity) + cost;
      const right = (costs[cell - 1] ?? Infinity) + cost;
      const best = Math.min(across, down, right);
      costs[cell] = row === 0 && cell === 0 ? cost : best;
      steps[row * width + cell] = best === across ? diagonal : best === down ? waiting : skipping;
    }
    above = costs;
  }
}

/** For each row, the first and last column on the path. */
function trace({ rows, columns, firsts, width, steps }: Warp): { first: Int32Array; last: Int32Array } {
  const first = new Int32Array(rows).fill(-1);
  const last = new Int32Array(rows).fill(-1);
  for (let [row, column] = [rows - 1, columns - 1]; row >= 0 && column >= 0;) {
    first[row] = column;
    if (last[row] === -1) last[row] = column;
    const step = row === 0 ? skipping : steps[row * width + column - firsts[row]!];
    if (step !== skipping) row--;
    if (step !== waiting) column--;
  }
  return { first, last };
}

/**
 * Maps the times of an utterance to those of another with the same words: a non-decreasing function from frames (including
 * fractions) of `a` to frames of `b`.
 */
export function warpOf(a: SpeechFeatures, b: SpeechFeatures): (frame: number) => number {
  const warp = emptyWarp(a.frames, b.frames);
  fill(warp, a, b);
  const { first, last } = trace(warp);
  return (frame) => {
    const row = Math.floor(frame);
    if (row < 0) return 0;
    if (row >= a.frames) return b.frames;
    // The edge between two rows is halfway between the last column of the first row and the first column of the second.
    const start = row === 0 ? 0 : (last[row - 1]! + 1 + first[row]!) / 2;
    const end = row === a.frames - 1 ? b.frames : (last[row]! + 1 + first[row + 1]!) / 2;
    return start + (end - start) * (frame - row);
  };
}
