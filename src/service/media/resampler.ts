import { greatestCommonDivisor, windowedSinc } from "./windowed-sinc.ts";

/** Taps on either side of the sample: enough to keep images of speech 60 dB down. */
const halfWidth = 12;
const outputRateHz = 48_000;

/**
 * Reads mono PCM of any rate up to 48 kHz as 48 kHz: a polyphase windowed-sinc interpolator (Kaiser window). Any stretch
 * can be read by itself, so a long utterance costs nothing before it is played.
 */
export class Resampler {
  readonly #pcm: Int16Array;
  /** Output samples to input samples as a fraction in lowest terms: `#step` inputs for `#phases` outputs. */
  readonly #step: number;
  readonly #phases: number;
  readonly #taps: Float32Array;
  /** How many 48 kHz samples there are. */
  readonly length: number;

  constructor(pcm: Int16Array, sampleRateHz: number) {
    const divisor = greatestCommonDivisor(sampleRateHz, outputRateHz);
    this.#pcm = pcm;
    this.#step = sampleRateHz / divisor;
    this.#phases = outputRateHz / divisor;
    this.#taps = tapsFor(this.#phases, Math.min(1, outputRateHz / sampleRateHz));
    this.length = Math.floor((pcm.length * this.#phases) / this.#step);
  }

  /** Writes the samples from `position` on into `out`; what lies beyond the end is left alone. Returns how many. */
  read(position: number, out: Int16Array): number {
    const count = Math.max(0, Math.min(out.length, this.length - position));
    for (let index = 0; index < count; index++) {
      const place = (position + index) * this.#step;
      out[index] = this.#interpolate(Math.floor(place / this.#phases), place % this.#phases);
    }
    return count;
  }

  #interpolate(center: number, phase: number): number {
    const taps = phase * halfWidth * 2;
    const first = center - halfWidth + 1;
    // Beyond both ends there is silence.
    const from = Math.max(0, -first);
    const to = Math.min(halfWidth * 2, this.#pcm.length - first);
    let sum = 0;
    for (let tap = from; tap < to; tap++) sum += this.#pcm[first + tap]! * this.#taps[taps + tap]!;
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}

const knownTaps = new Map<string, Float32Array>();

/** One row of taps for each phase, each summing to 1 so that no phase is louder than another. */
function tapsFor(phases: number, cutoff: number): Float32Array {
  const key = `${phases} ${cutoff}`;
  const known = knownTaps.get(key);
  if (known) return known;
  const taps = new Float32Array(phases * halfWidth * 2);
  for (let phase = 0; phase < phases; phase++) {
    const row = taps.subarray(phase * halfWidth * 2, (phase + 1) * halfWidth * 2);
    row.forEach(
      (_, tap) => (row[tap] = windowedSinc(tap - halfWidth + 1 - phase / phases, halfWidth, cutoff)),
    );
    const sum = row.reduce((total, tap) => total + tap, 0);
    row.forEach((tap, index) => (row[index] = tap / sum));
  }
  knownTaps.set(key, taps);
  return taps;
}
