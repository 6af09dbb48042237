/** The period of the clock: one audio frame. */
export const tickMs = 10;

/** When the clock is further behind than this, it skips the lost time: receivers would have to drop such a burst of audio. */
const giveUpBehindMs = 200;

/** While the clock catches up, it runs at most this many ticks in one turn. */
const ticksPerTurn = 2;

/** When the clock is further behind than this, work that is not urgent waits. */
const lateMs = 25;

/** Called at each tick. `tick` counts up. When `isLate`, the listener must do only what it cannot skip. */
export type TickListener = (tick: number, isLate: boolean) => void;

/**
 * Calls its listeners every 10 ms, measured with the monotonic clock. Timers fire late, so the due times are counted from the
 * start: after a late turn, the missing ticks follow two at a time.
 */
export class MediaClock {
  readonly #listeners = new Set<TickListener>();
  #timer: NodeJS.Timeout | undefined;
  #nextAt = 0;
  #tick = 0;

  /** Starts ticking with the first listener. Returns a function that removes the listener. */
  listen(listener: TickListener): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#nextAt = performance.now() + tickMs;
      this.#schedule();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /**
   * Does work that blocks for about `blockMs`, and runs the ticks of that time first: receivers buffer early audio, but late
   * audio is lost. Returns the result of the work.
   */
  ahead<Result>(blockMs: number, work: () => Result): Result {
    for (let lead = 0; lead < blockMs && this.#listeners.size > 0; lead += tickMs) {
      this.#nextAt += tickMs;
      this.#tell(true);
    }
    return work();
  }

  #tell(isLate: boolean): void {
    this.#tick++;
    for (const listener of [...this.#listeners]) listener(this.#tick, isLate);
  }

  #schedule(): void {
    const waitMs = Math.max(0, this.#nextAt - performance.now());
    // A timer of n ms may fire up to 1 ms late, never early: rounding down keeps the mean.
    this.#timer = setTimeout(() => this.#turn(), Math.floor(waitMs));
  }

  #turn(): void {
    const behindMs = performance.now() - this.#nextAt;
    if (behindMs > giveUpBehindMs) this.#nextAt += behindMs;
    for (let count = 0; count < ticksPerTurn && performance.now() >= this.#nextAt; count++) {
      this.#nextAt += tickMs;
      this.#tell(performance.now() - this.#nextAt > lateMs);
    }
    if (this.#listeners.size > 0) this.#schedule();
  }
}
