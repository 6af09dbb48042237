/** Shape of the Kaiser window: 60 dB down outside. */
const kaiserBeta = 6;

/** A tap of a low-pass filter, `distance` samples from its middle; `cutoff` is the part of the band that it keeps (0…1). */
function windowedSinc(distance: number, reach: number, cutoff: number): number {
  const ratio = distance / reach;
  if (Math.abs(ratio) >= 1) return 0;
  const angle = Math.PI * distance * cutoff;
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
  return sinc * besselI0(kaiserBeta * Math.sqrt(1 - ratio * ratio));
}

/** By which two rates become a fraction in lowest terms. */
function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Modified Bessel function of order zero, by its power series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

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
