/** Time over which costs are summed up, in ms. */
const windowMs = 2_000;
/** The share of the main thread that drawing may take: where the browser may choose, and where it must draw. */
const allowedShare = 0.3;
const extremeShare = 0.8;
/** After so many windows in a row the service draws. */
const windows = 2;

/** What is measured before anything is shown. The first frames make pictures that the others use. */
const warmFrames = 3;
const measuredFrames = 9;
/** The page has its turn after so much work, in ms. */
const sliceMs = 6;
/** The longest a usual frame of a moving head may take, in ms. */
const frameLimitMs = 8;

/** Tells whether drawing in this browser costs too much of the page's time. */
export class DrawingCost {
  #startMs = Number.NaN;
  #costMs = 0;
  #dear = 0;

  /** Whether frames like these cost too much. `draw` gets how far the head is turned; `pause` is awaited after some work. */
  static async isTooMuch(draw: (turn: number) => void, pause: () => Promise<void>): Promise<boolean> {
    const costs: number[] = [];
    let sinceMs = -Infinity;
    for (let i = 0; i < warmFrames + measuredFrames; i++) {
      if (performance.now() - sinceMs > sliceMs) {
        await pause();
        sinceMs = performance.now();
      }
      const startMs = performance.now();
      draw(Math.sin(i / 3) * 0.3);
      if (i < warmFrames) continue;
      costs.push(performance.now() - startMs);
      // More than half of the frames: the others would change nothing.
      if (costs.filter((costMs) => costMs > frameLimitMs).length > measuredFrames / 2) return true;
    }
    return false;
  }

  /** Adds a frame's cost. Returns whether they have cost too much for some time. `mayBeSlow`: only an extreme cost is too much. */
  add(costMs: number, nowMs: number, mayBeSlow?: boolean): boolean {
    const elapsedMs = nowMs - this.#startMs;
    // Without frames for long, the page was hidden: nothing follows from that.
    if (!(elapsedMs < 2 * windowMs)) {
      this.#startMs = nowMs;
      this.#costMs = costMs;
      return false;
    }
    this.#costMs += costMs;
    if (elapsedMs < windowMs) return false;
    const limit = mayBeSlow ? extremeShare : allowedShare;
    this.#dear = this.#costMs / elapsedMs > limit ? this.#dear + 1 : 0;
    this.#startMs = nowMs;
    this.#costMs = 0;
    return this.#dear >= windows;
  }
}
