/** Small pieces are gathered in blocks of so many bytes. */
const blockBytes = 32 * 1024;

/** From so many bytes on, a piece is kept as it is. */
const largePieceBytes = 8 * 1024;

interface Block {
  bytes: Uint8Array;
  /** How many of them hold something. */
  used: number;
}

/**
 * Gathers the pieces of a body. A list of them alone would cost many times their bytes where a sender cuts them small, and
 * copies of large ones would leave as many bytes behind for the garbage collector.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #grow: (bytes: number) => void;
  readonly #blocks: Block[] = [];
  #length = 0;

  /** `grow` is told before so many bytes more of memory are taken, and may throw. */
  constructor(maxBytes: number, grow: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#grow = grow;
  }

  /** Takes a piece in; false where the body is larger than it may be. Throws what `grow` throws. */
  add(piece: Uint8Array): boolean {
    if (this.#length + piece.byteLength > this.#maxBytes) return false;
    if (this.#length === 0 || piece.byteLength >= largePieceBytes) this.#keep(piece, piece.byteLength);
    else this.#copy(piece);
    this.#length += piece.byteLength;
    return true;
  }

  /** All bytes, in one piece; those of a body that came in one are not copied. To be asked once. */
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
    this.#keep(new Uint8Array(blockBytes), rest.byteLength);
    this.#blocks.at(-1)!.bytes.set(rest);
  }
}
