import { AudioError, type DecodedAudio } from "./decoded-audio.ts";

/** Samples that are decoded piece by piece, so that a small file that is long costs no memory before it is refused. */
export class GrowingPcm {
  readonly #sampleRateHz: number;
  readonly #maxSec: number;
  #samples = new Int16Array(48_000);
  #length = 0;

  constructor(sampleRateHz: number, maxSec: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#maxSec = maxSec;
  }

  get length(): number {
    return this.#length;
  }

  /** Throws AudioError `too_long`. */
  add(piece: Int16Array): void {
    const length = this.#length + piece.length;
    if (length > this.#maxSec * this.#sampleRateHz)
      throw new AudioError("too_long", `The audio is longer than ${this.#maxSec} seconds.`);
    if (length > this.#samples.length) {
      const larger = new Int16Array(Math.max(length, 2 * this.#samples.length));
      larger.set(this.#samples);
      this.#samples = larger;
    }
    this.#samples.set(piece, this.#length);
    this.#length = length;
  }

  /** All from this sample on, in memory of their own. */
  audioFrom(start: number): DecodedAudio {
    return { pcm: this.#samples.slice(start, this.#length), sampleRateHz: this.#sampleRateHz };
  }
}

/** The memory of samples, as a list for `postMessage`: it is then moved to the other thread instead of copied. */
export function sampleMemory({ buffer }: Int16Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
