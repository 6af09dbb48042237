/** A block is as large as the body so far, up to this: small pieces cost at most twice their bytes. */
const largestBlockBytes = 1024 * 1024;

/**
 * Gathers the pieces of a body in blocks of memory. Blocks are added and never replaced: a single buffer that doubles would
 * leave its former halves to the garbage collector, as much memory again. A body of one piece is that piece.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #grow: (bytes: number) => void;
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes of the last block that are in use. */
  #filled = 0;
  #length = 0;

  /** `grow` is told before the buffer takes so many bytes more of memory, and may throw. */
  constructor(maxBytes: number, grow: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#grow = grow;
  }

  /** Takes a piece in; false where the body is larger than it may be. Throws what `grow` throws. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.byteLength;
    if (length > this.#maxBytes) return false;
    if (piece.byteLength === 0) return true;
    if (this.#length === 0) {
      this.#grow(piece.byteLength);
      this.#blocks.push(piece as Uint8Array<ArrayBuffer>);
      this.#filled = piece.byteLength;
    } else this.#append(piece);
    this.#length = length;
    return true;
  }

  /** All bytes so far, in one piece. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const [only = new Uint8Array(), ...others] = this.#blocks;
    if (others.length === 0) return only.subarray(0, this.#filled);
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const block of this.#blocks) {
      whole.set(block.subarray(0, this.#length - offset), offset);
      offset += block.byteLength;
    }
    this.#blocks.splice(0, Infinity, whole);
    this.#filled = whole.byteLength;
    return whole;
  }

  #append(piece: Uint8Array): void {
    const last = this.#blocks.at(-1)!;
    const fitting = piece.subarray(0, last.byteLength - this.#filled);
    const rest = piece.subarray(fitting.byteLength);
    if (rest.byteLength > 0) {
      const block = this.#newBlock(rest.byteLength, this.#length + fitting.byteLength);
      block.set(rest);
      last.set(fitting, this.#filled);
      this.#blocks.push(block);
      this.#filled = rest.byteLength;
    } else {
      last.set(fitting, this.#filled);
      this.#filled += fitting.byteLength;
    }
  }

  #newBlock(neededBytes: number, gatheredBytes: number): Uint8Array<ArrayBuffer> {
    const usualBytes = Math.min(this.#length, largestBlockBytes, this.#maxBytes - gatheredBytes);
    const bytes = Math.max(neededBytes, usualBytes);
    this.#grow(bytes);
    return new Uint8Array(bytes);
  }
}
