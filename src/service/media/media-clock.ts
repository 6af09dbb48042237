/** The rhythm of everything: one audio frame. */
export const tickMs = 10;

/** So far behind, the clock gives up the lost time: played at once it would be a burst that receivers must drop. */
const giveUpBehindMs = 200;

/** While it catches up, this many ticks at most happen in one turn. */
const ticksPerTurn = 2;

/** Further behind than this, what is not urgent must wait. */
const lateMs = 25;

/** What happens at each tick. `tick` counts up; when `isLate`, only what cannot be left out is to be done. */
export type TickListener = (tick: number, isLate: boolean) => void;

/**
 * Calls its listeners every 10 ms by the monotonic clock. Timers come late, so it counts from where it began: after a
 * late turn the missing ticks follow two at a time.
 */
export class MediaClock {
  readonly #listeners = new Set<TickListener>();
  #timer: NodeJS.Timeout | undefined;
  #nextAt = 0;
  #tick = 0;

  /** Starts ticking with the first listener. Returns the function that takes the listener away. */
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
   * Does work that blocks for about `blockMs`, after what falls due meanwhile: sound that comes early is kept by receivers,
   * sound that comes late is lost. Returns what the work returns.
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
