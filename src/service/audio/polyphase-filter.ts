import { greatestCommonDivisor, windowedSinc } from "./windowed-sinc.ts";

/** Taps on each side of a sample, in periods of the lower rate: keeps images and aliases of speech 60 dB down. */
const halfWidth = 12;

/**
 * The most rows of weights. Common rates have up to 640 phases, and a row for each; an unusual rate, such as 47,999 Hz, has thousands.
 * Then the row of the nearest earlier phase is used: less than a thousandth of a sample off, which is 60 dB down for speech.
 */
const maxRows = 1_024;

/** A filter that changes a sample rate: each output is a weighted sum of `2 × reach` inputs (windowed sinc, Kaiser window). */
export interface PolyphaseFilter {
  /** Outputs to inputs as a fraction in lowest terms: `step` inputs for `phases` outputs. */
  step: number;
  phases: number;
  /** Inputs on each side of an output; even. */
  reach: number;
  /** How many rows of weights there are: one for each phase, or for several of them. */
  rows: number;
  /** The weights, one row after another; a row sums to 1, so that no phase is louder than another. */
  taps: Float64Array;
}

/** Designs the filter between two rates, in Hz. */
export function polyphaseFilter(inputRateHz: number, outputRateHz: number): PolyphaseFilter {
  const divisor = greatestCommonDivisor(inputRateHz, outputRateHz);
  const [step, phases] = [inputRateHz / divisor, outputRateHz / divisor];
  const cutoff = Math.min(1, outputRateHz / inputRateHz);
  // Even, so that four taps at a time leave none over.
  const reach = 2 * Math.ceil(halfWidth / cutoff / 2);
  const rows = Math.min(phases, maxRows);
  const taps = new Float64Array(rows * reach * 2);
  for (let index = 0; index < rows; index++) {
    const row = taps.subarray(index * reach * 2, (index + 1) * reach * 2);
    row.forEach((_, tap) => (row[tap] = windowedSinc(tap - reach + 1 - index / rows, reach, cutoff)));
    const sum = row.reduce((total, tap) => total + tap, 0);
    row.forEach((tap, at) => (row[at] = tap / sum));
  }
  return { step, phases, reach, rows, taps };
}

/** So many outputs are computed from one copy of their inputs. */
const blockLength = 480;

/** The inputs of a block, as doubles: converting each of them once, not for every output, saves a quarter of the time. */
let blockInputs = new Float64Array(0);

/**
 * Fills `out` with consecutive outputs. The first one is `place` phases after the first input. Beyond both ends of the inputs there is
 * silence.
 */
export function filterInto(out: Int16Array, pcm: Int16Array, place: number, filter: PolyphaseFilter): void {
  for (let begin = 0; begin < out.length; begin += blockLength)
    filterBlock(out.subarray(begin, begin + blockLength), pcm, place + begin * filter.step, filter);
}

function filterBlock(
  out: Int16Array,
  pcm: Int16Array,
  place: number,
  { step, phases, reach, rows, taps }: PolyphaseFilter,
): void {
  const begin = Math.floor(place / phases) - reach + 1;
  const end = Math.floor((place + (out.length - 1) * step) / phases) + reach + 1;
  if (blockInputs.length < end - begin) blockInputs = new Float64Array(end - begin);
  const inputs = blockInputs;
  inputs.fill(0, 0, end - begin);
  inputs.set(pcm.subarray(Math.max(0, begin), end), Math.max(0, -begin));
  const width = reach * 2;
  const rowsPerPhase = rows / phases;
  let first = 0;
  let phase = place % phases;
  for (let index = 0; index < out.length; index++) {
    const row = Math.floor(phase * rowsPerPhase) * width;
    // Four sums, because each addition waits for the one before.
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let tap = 0; tap < width; tap += 4) {
      const input = first + tap;
      const weight = row + tap;
      a += inputs[input]! * taps[weight]!;
      b += inputs[input + 1]! * taps[weight + 1]!;
      c += inputs[input + 2]! * taps[weight + 2]!;
      d += inputs[input + 3]! * taps[weight + 3]!;
    }
    out[index] = Math.max(-32_768, Math.min(32_767, Math.round(a + b + (c + d))));
    phase += step;
    for (; phase >= phases; phase -= phases) first++;
  }
}
