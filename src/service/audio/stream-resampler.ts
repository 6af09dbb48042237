import { filterInto } from "./filter-into.ts";
import { polyphaseFilter, type PolyphaseFilter } from "./polyphase-filter.ts";

/** Changes the rate of mono PCM as it arrives, piece by piece. */
export class StreamResampler {
  readonly #filter: PolyphaseFilter;
  /** Inputs that later outputs still need. */
  #pending: Int16Array;
  /** Place of the next output in `#pending`, in phases. */
  #place: number;

  constructor(inputRateHz: number, outputRateHz: number) {
    this.#filter = polyphaseFilter(inputRateHz, outputRateHz);
    const { reach, phases } = this.#filter;
    // Before the first sample there was silence.
    this.#pending = new Int16Array(reach);
    this.#place = reach * phases;
  }

  /** The output samples that are complete with these inputs. */
  push(input: Int16Array): Int16Array {
    const { step, phases, reach } = this.#filter;
    const samples = new Int16Array(this.#pending.length + input.length);
    samples.set(this.#pending);
    samples.set(input, this.#pending.length);
    const end = (samples.length - reach) * phases;
    const output = new Int16Array(Math.max(0, Math.ceil((end - this.#place) / step)));
    filterInto(output, samples, this.#place, this.#filter);
    this.#place += output.length * step;
    const kept = Math.min(samples.length, Math.max(0, this.#center - reach + 1));
    this.#pending = samples.slice(kept);
    this.#place -= kept * phases;
    return output;
  }

  get #center(): number {
    return Math.floor(this.#place / this.#filter.phases);
  }
}
