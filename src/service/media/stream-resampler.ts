import { greatestCommonDivisor, windowedSinc } from "./windowed-sinc.ts";

/** Taps on either side of the sample, in periods of the lower rate: keeps images and aliases of speech 60 dB down. */
const halfWidth = 12;

/** Changes the rate of mono PCM as it comes, piece by piece: a polyphase windowed-sinc filter (Kaiser window). */
export class StreamResampler {
  /** Input samples to output samples as a fraction in lowest terms: `#step` inputs for `#phases` outputs. */
  readonly #step: number;
  readonly #phases: number;
  /** Inputs on either side that an output is made from. */
  readonly #reach: number;
  /** One row of `2 × #reach` taps for each phase. */
  readonly #taps: readonly Float32Array[];
  /** Inputs that outputs to come are made from. */
  #pending: Int16Array;
  /** Place of the next output in `#pending`, in phases. */
  #place: number;

  constructor(inputRateHz: number, outputRateHz: number) {
    const divisor = greatestCommonDivisor(inputRateHz, outputRateHz);
    this.#step = inputRateHz / divisor;
    this.#phases = outputRateHz / divisor;
    const cutoff = Math.min(1, outputRateHz / inputRateHz);
    this.#reach = Math.ceil(halfWidth / cutoff);
    this.#taps = Array.from({ length: this.#phases }, (_, phase) =>
      tapsOf(this.#reach, phase / this.#phases, cutoff),
    );
    // Before the first sample there was silence.
    this.#pending = new Int16Array(this.#reach);
    this.#place = this.#reach * this.#phases;
  }

  /** The output samples that are complete with these inputs. */
  push(input: Int16Array): Int16Array {
    const samples = new Int16Array(this.#pending.length + input.length);
    samples.set(this.#pending);
    samples.set(input, this.#pending.length);
    const output: number[] = [];
    for (; this.#center + this.#reach < samples.length; this.#place += this.#step)
      output.push(this.#sample(samples));
    const kept = Math.min(samples.length, Math.max(0, this.#center - this.#reach + 1));
    this.#pending = samples.slice(kept);
    this.#place -= kept * this.#phases;
    return Int16Array.from(output);
  }

  get #center(): number {
    return Math.floor(this.#place / this.#phases);
  }

  #sample(samples: Int16Array): number {
    const taps = this.#taps[this.#place % this.#phases]!;
    const first = this.#center - this.#reach + 1;
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap++) sum += samples[first + tap]! * taps[tap]!;
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}

/** Taps for an output `offset` inputs behind its center; they sum to 1, so that no phase is louder than another. */
function tapsOf(reach: number, offset: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: reach * 2 }, (_, tap) =>
    windowedSinc(tap - reach + 1 - offset, reach, cutoff),
  );
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
