/**
 * Gathers the pieces of a body in one growing buffer. A list of pieces would cost many times their bytes where a sender cuts
 * them small. A body of one piece is that piece.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #grow: (bytes: number) => void;
  #buffer = new Uint8Array();
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
    if (this.#length === 0) {
      this.#grow(piece.byteLength);
      this.#buffer = piece as Uint8Array<ArrayBuffer>;
    } else {
      if (length > this.#buffer.byteLength) this.#enlarge(length);
      this.#buffer.set(piece, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** All bytes so far. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  #enlarge(needed: number): void {
    const capacity = Math.min(Math.max(needed, 2 * this.#buffer.byteLength), this.#maxBytes);
    this.#grow(capacity - this.#buffer.byteLength);
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}
