import { kernelModule } from "./kernel-module.ts";
import type { PolyphaseFilter } from "./polyphase-filter.ts";

/** The function of `webassembly/filter`. Places in memory are byte offsets. */
interface FilterKernel {
  filter(
    ...args: [
      out: number,
      count: number,
      inputs: number,
      weights: number,
      width: number,
      phase: number,
      step: number,
      phases: number,
      rows: number,
    ]
  ): void;
}

/** So many outputs are computed from one copy of their inputs. */
export const blockLength = 480;

const pageBytes = 65_536;
const floatBytes = Float32Array.BYTES_PER_ELEMENT;

/** The memory: the inputs of a block, its outputs, then the weights of the filters in use. */
const inputBytes = 4 * pageBytes;
const weightsAt = inputBytes + pageBytes;
const memoryBytes = 48 * pageBytes;

/** The instructions of a kernel in its memory. */
class FilterMemory {
  readonly #kernel: FilterKernel;
  readonly #inputs: Float32Array;
  readonly #outputs: Int16Array;
  readonly #weights: Float32Array;
  /** Where the weights of each filter are. */
  #places = new Map<PolyphaseFilter, number>();
  #weightsEnd = 0;

  constructor(module: WebAssembly.Module) {
    const pages = memoryBytes / pageBytes;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    // eslint-disable-next-line no-restricted-syntax -- WebAssembly has no types
    this.#kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as FilterKernel;
    this.#inputs = new Float32Array(memory.buffer, 0, inputBytes / floatBytes);
    this.#outputs = new Int16Array(memory.buffer, inputBytes, blockLength);
    this.#weights = new Float32Array(memory.buffer, weightsAt);
  }

  /** As `filterQuickly`. */
  filter(out: Int16Array, pcm: Int16Array, place: number, filter: PolyphaseFilter): boolean {
    const { step, phases, reach, rows, taps } = filter;
    const begin = Math.floor(place / phases) - reach + 1;
    const end = Math.floor((place + (out.length - 1) * step) / phases) + reach + 1;
    const inputs = this.#inputs;
    if (end - begin > inputs.length || taps.length > this.#weights.length) return false;
    if (begin < 0 || end > pcm.length) inputs.fill(0, 0, end - begin);
    inputs.set(pcm.subarray(Math.max(0, begin), end), Math.max(0, -begin));
    const weights = weightsAt + this.#placeOf(filter) * floatBytes;
    const phase = place % phases;
    this.#kernel.filter(inputBytes, out.length, 0, weights, reach * 2, phase, step, phases, rows);
    out.set(out.length === blockLength ? this.#outputs : this.#outputs.subarray(0, out.length));
    return true;
  }

  /** Where the weights of a filter begin, in floats. When there is no room for more, all others are forgotten. */
  #placeOf(filter: PolyphaseFilter): number {
    const known = this.#places.get(filter);
    if (known !== undefined) return known;
    const { taps } = filter;
    if (this.#weightsEnd + taps.length > this.#weights.length) {
      this.#places = new Map();
      this.#weightsEnd = 0;
    }
    const place = this.#weightsEnd;
    this.#weights.set(taps, place);
    this.#places.set(filter, place);
    this.#weightsEnd += taps.length;
    return place;
  }
}

let loaded: FilterMemory | null | undefined;

/** Null on a processor without SIMD instructions. */
function load(): FilterMemory | null {
  try {
    return new FilterMemory(new WebAssembly.Module(Buffer.from(kernelModule, "base64")));
  } catch {
    return null;
  }
}

/**
 * Fills `out`, at most `blockLength` samples, with consecutive outputs of a filter, in a fifth of the time that JavaScript takes. The first
 * one is `place` phases after the first input; beyond both ends of the inputs there is silence. Returns false, with `out` as it was, if that
 * cannot be done: the processor has no SIMD instructions, or the filter is extremely large.
 */
export function filterQuickly(
  out: Int16Array,
  pcm: Int16Array,
  place: number,
  filter: PolyphaseFilter,
): boolean {
  // Not `??=`: without these instructions, each block would compile it again.
  if (loaded === undefined) loaded = load();
  return loaded?.filter(out, pcm, place, filter) ?? false;
}
