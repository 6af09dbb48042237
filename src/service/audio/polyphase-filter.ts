import { greatestCommonDivisor, windowedSinc } from "./windowed-sinc.ts";

/** Taps on each side of a sample, in periods of the lower rate: keeps images and aliases of speech 60 dB down. */
const halfWidth = 12;

/** A filter that changes a sample rate: each output is a weighted sum of `2 × reach` inputs (windowed sinc, Kaiser window). */
export interface PolyphaseFilter {
  /** Outputs to inputs as a fraction in lowest terms: `step` inputs for `phases` outputs. */
  step: number;
  phases: number;
  /** Inputs on each side of an output. */
  reach: number;
  /** The weights of each phase, one row after another; a row sums to 1, so that no phase is louder than another. */
  taps: Float32Array;
}

/** Designs the filter between two rates, in Hz. */
export function polyphaseFilter(inputRateHz: number, outputRateHz: number): PolyphaseFilter {
  const divisor = greatestCommonDivisor(inputRateHz, outputRateHz);
  const [step, phases] = [inputRateHz / divisor, outputRateHz / divisor];
  const cutoff = Math.min(1, outputRateHz / inputRateHz);
  const reach = Math.ceil(halfWidth / cutoff);
  const taps = new Float32Array(phases * reach * 2);
  for (let phase = 0; phase < phases; phase++) {
    const row = taps.subarray(phase * reach * 2, (phase + 1) * reach * 2);
    row.forEach((_, tap) => (row[tap] = windowedSinc(tap - reach + 1 - phase / phases, reach, cutoff)));
    const sum = row.reduce((total, tap) => total + tap, 0);
    row.forEach((tap, index) => (row[index] = tap / sum));
  }
  return { step, phases, reach, taps };
}

/** One output: the inputs around `center` by the weights of `phase`. Beyond both ends there is silence. */
export function filteredSample(
  pcm: Int16Array,
  center: number,
  phase: number,
  { reach, taps }: PolyphaseFilter,
): number {
  const row = phase * reach * 2;
  const first = center - reach + 1;
  const from = Math.max(0, -first);
  const to = Math.min(reach * 2, pcm.length - first);
  let sum = 0;
  for (let tap = from; tap < to; tap++) sum += pcm[first + tap]! * taps[row + tap]!;
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
}
