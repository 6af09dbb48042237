import { planeKernel, type PlaneKernel } from "./plane-kernel.ts";

const pageBytes = 65_536;

/** WebAssembly's limit: 4 GB. */
const mostPages = 65_536;

/** The memory grows by this many pages at least. */
const growthPages = 64;

/** Blocks begin at multiples of this. */
const alignment = 64;

/** A part of a memory. */
export interface Block {
  readonly at: number;
  readonly bytes: number;
}

/** The memory of a kernel, with the pictures and frames of one character in one size. */
export class PlaneMemory {
  readonly kernel: PlaneKernel;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages });
  /** Unused blocks by their size. */
  readonly #unused = new Map<number, Block[]>();
  #end = alignment;

  constructor() {
    this.kernel = planeKernel(this.#memory);
  }

  /** A block of at least so many bytes. Its content is undefined. */
  take(bytes: number): Block {
    const size = sizeClass(bytes);
    const unused = this.#unused.get(size)?.pop();
    if (unused) return unused;
    const block = { at: this.#end, bytes: size };
    const missing = Math.ceil((block.at + size - this.#memory.buffer.byteLength) / pageBytes);
    if (missing > 0) this.#memory.grow(Math.max(missing, growthPages));
    this.#end += size;
    return block;
  }

  /** Takes a block back. */
  give(block: Block): void {
    const unused = this.#unused.get(block.bytes) ?? [];
    this.#unused.set(block.bytes, unused);
    unused.push(block);
  }

  /** The bytes of a block; valid until the next `take`. */
  bytes({ at, bytes }: Block): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, bytes);
  }
}

/** The next size of which blocks are made. There are four between powers of two, so that a block that was given back fits others. */
export function sizeClass(bytes: number): number {
  const step = Math.max(alignment, 2 ** (Math.floor(Math.log2(bytes)) - 2));
  return Math.ceil(bytes / step) * step;
}
