import { LRUCache } from "lru-cache";
import { filterInto } from "./filter-into.ts";
import { polyphaseFilter, type PolyphaseFilter } from "./polyphase-filter.ts";

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
