/** Size of the blocks that collect small pieces, in bytes. */
const blockBytes = 32 * 1024;

/** A piece of at least this many bytes is kept without a copy. */
const largePieceBytes = 8 * 1024;

interface Block {
  bytes: Uint8Array;
  /** How many of the bytes are used. */
  used: number;
}

/**
 * Collects the pieces of a body. A plain list of tiny pieces would need many times their size, and copies of large pieces
 * would produce as much garbage.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #grow: (bytes: number) => void;
  readonly #blocks: Block[] = [];
  #length = 0;

  /** `grow` is called with the number of bytes before more memory is allocated, and may throw. */
  constructor(maxBytes: number, grow: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#grow = grow;
  }

  /** Adds a piece. Returns false if the body becomes too large. Throws what `grow` throws. */
  add(piece: Uint8Array): boolean {
    if (this.#length + piece.byteLength > this.#maxBytes) return false;
    if (this.#length === 0 || piece.byteLength >= largePieceBytes) this.#keep(piece, piece.byteLength);
    else this.#copy(piece);
    this.#length += piece.byteLength;
    return true;
  }

  /** All bytes in one piece, without a copy if there was only one. Call it once. */
  bytes(): Uint8Array<ArrayBuffer> {
    const [only, more] = this.#blocks;
    if (only && !more) return only.bytes.subarray(0, only.used) as Uint8Array<ArrayBuffer>;
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const { bytes, used } of this.#blocks) {
      whole.set(bytes.subarray(0, used), offset);
      offset += used;
    }
    this.#blocks.length = 0;
    return whole;
  }

  #keep(bytes: Uint8Array, used: number): void {
    this.#grow(bytes.byteLength);
    this.#blocks.push({ bytes, used });
  }

  #copy(piece: Uint8Array): void {
    const last = this.#blocks.at(-1);
    const free = last ? last.bytes.byteLength - last.used : 0;
    if (last && free > 0) last.bytes.set(piece.subarray(0, free), last.used);
    if (last) last.used += Math.min(free, piece.byteLength);
    const rest = piece.subarray(free);
    if (rest.byteLength === 0) return;
    const block = new Uint8Array(blockBytes);
    this.#keep(block, rest.byteLength);
    block.set(rest);
  }
}
