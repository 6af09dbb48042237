/** The picture has the browser to itself for so long before the rest comes. */
const settleMs = 100;

/**
 * Tells what the picture's connection should not have to share the network and the browser with when its turn has come:
 * a moment after the first frame, or when that takes so long that the visitor needs the rest without it.
 */
export class FirstFrame {
  #over = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #reached: () => void;
  readonly #patienceMs: number;

  constructor(reached: () => void, patienceMs: number) {
    this.#reached = reached;
    this.#patienceMs = patienceMs;
  }

  /** Whether the wait is over: then it never begins again. */
  get over(): boolean {
    return this.#over;
  }

  /** The visitor waits for the first frame from now on. Later calls mean nothing. */
  wait(): void {
    if (!this.#over) this.#timer ??= setTimeout(() => this.#end(), this.#patienceMs);
  }

  /** A first frame has been drawn. */
  handleFrame(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), settleMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #end(): void {
    this.#over = true;
    this.#reached();
  }
}
