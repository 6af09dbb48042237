import { blockLength, filterQuickly } from "./filter-kernel.ts";
import { type PolyphaseFilter, polyphaseFilter } from "./polyphase-filter.ts";
import { LRUCache } from "lru-cache";

/** The inputs of a block, as doubles: converting each of them once, not for every output, saves a quarter of the time. */
let blockInputs = new Float64Array(0);

/**
 * Fills `out` with consecutive outputs. The first one is `place` phases after the first input. Beyond both ends of the inputs there is
 * silence.
 */
export function filterInto(out: Int16Array, pcm: Int16Array, place: number, filter: PolyphaseFilter): void {
  for (let begin = 0; begin < out.length; begin += blockLength) {
    const block = out.subarray(begin, begin + blockLength);
    const blockPlace = place + begin * filter.step;
    if (!filterQuickly(block, pcm, blockPlace, filter)) filterBlock(block, pcm, blockPlace, filter);
  }
}

/** As `filterInto`, for at most `blockLength` outputs, on any processor. */
export function filterBlock(
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

const playbackRateHz = 48_000;

/** Voices and uploads have a few rates at a time. A client may upload files of any other, and a filter takes up to 1.6 MB. */
const keptFilters = 8;

/** The filters of playback, by the input's rate: every utterance needs one. */
const playbackFilters = new LRUCache<number, PolyphaseFilter>({ max: keptFilters });

function playbackFilter(inputRateHz: number): PolyphaseFilter {
  const filter = playbackFilters.get(inputRateHz) ?? polyphaseFilter(inputRateHz, playbackRateHz);
  playbackFilters.set(inputRateHz, filter);
  return filter;
}

/**
 * Reads mono PCM at another rate, by default 48 kHz. Any part can be read by itself, so a long utterance costs nothing before it
 * is played.
 */
export class Resampler {
  readonly #pcm: Int16Array;
  readonly #filter: PolyphaseFilter;
  /** How many samples there are at the output's rate. */
  readonly length: number;

  constructor(pcm: Int16Array, inputRateHz: number, outputRateHz = playbackRateHz) {
    this.#pcm = pcm;
    this.#filter =
      outputRateHz === playbackRateHz
        ? playbackFilter(inputRateHz)
        : polyphaseFilter(inputRateHz, outputRateHz);
    this.length = Math.floor((pcm.length * this.#filter.phases) / this.#filter.step);
  }

  /** Writes the samples from `position` on into `out`; what lies beyond the end is left alone. Returns how many. */
  read(position: number, out: Int16Array): number {
    const count = Math.max(0, Math.min(out.length, this.length - position));
    filterInto(out.subarray(0, count), this.#pcm, position * this.#filter.step, this.#filter);
    return count;
  }
}

/** All samples at another rate, band-limited; the same samples where the rate is the same. */
export function resample(pcm: Int16Array, inputRateHz: number, outputRateHz: number): Int16Array {
  if (inputRateHz === outputRateHz) return pcm;
  const resampler = new Resampler(pcm, inputRateHz, outputRateHz);
  const resampled = new Int16Array(resampler.length);
  resampler.read(0, resampled);
  return resampled;
}

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
