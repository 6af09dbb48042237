/** How much a key has gathered in its window, and when (ms since the epoch) the window is over. */
export interface CounterWindow {
  total: number;
  resetAtMs: number;
}

/** What limits are counted with. One process counts in memory; several instances share one behind this interface. */
export interface Counter {
  /** Adds `amount` to the key's fixed window and answers what it holds now. */
  add(key: string, amount: number, windowMs: number): Promise<CounterWindow>;
  /**
   * Takes one of `limit` places under the key for `ttlMs`, or renews the holder's own. False: all are taken.
   */
  hold(key: string, holder: string, limit: number, ttlMs: number): Promise<boolean>;
  /** Gives the holder's place back. Tells whether there was one. */
  release(key: string, holder: string): Promise<boolean>;
  /** At most `count` holders whose places end within `withinMs` unless they are renewed, the first to end first. */
  holders(key: string, withinMs: number, count: number): Promise<string[]>;
  /**
   * Raises the key's mark to `value` and answers by how much it rose: 0 where it is that high already. A new mark begins
   * at 0; one that was not raised for `ttlMs` is forgotten.
   */
  raise(key: string, value: number, ttlMs: number): Promise<number>;
}

const sweepEvery = 1_000;

/** Counts in this process's memory; what is over is dropped while counting, so that no timer is needed. */
export class MemoryCounter implements Counter {
  readonly #now: () => number;
  readonly #windows = new Map<string, CounterWindow>();
  readonly #places = new Map<string, Map<string, number>>();
  readonly #marks = new Map<string, { value: number; untilMs: number }>();
  #operations = 0;

  /** `now` answers milliseconds since the epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  add(key: string, amount: number, windowMs: number): Promise<CounterWindow> {
    this.#sweepSometimes();
    const now = this.#now();
    const current = this.#windows.get(key);
    const window =
      current && current.resetAtMs > now
        ? { total: current.total + amount, resetAtMs: current.resetAtMs }
        : { total: amount, resetAtMs: now + windowMs };
    this.#windows.set(key, window);
    return Promise.resolve(window);
  }

  hold(key: string, holder: string, limit: number, ttlMs: number): Promise<boolean> {
    this.#sweepSometimes();
    const places = this.#currentPlaces(key);
    if (!places.has(holder) && places.size >= limit) return Promise.resolve(false);
    places.set(holder, this.#now() + ttlMs);
    this.#places.set(key, places);
    return Promise.resolve(true);
  }

  release(key: string, holder: string): Promise<boolean> {
    const places = this.#currentPlaces(key);
    const wasHeld = places.delete(holder);
    if (places.size === 0) this.#places.delete(key);
    return Promise.resolve(wasHeld);
  }

  holders(key: string, withinMs: number, count: number): Promise<string[]> {
    const latestMs = this.#now() + withinMs;
    const ending = [...this.#currentPlaces(key)].filter(([, untilMs]) => untilMs <= latestMs);
    ending.sort(([, one], [, other]) => one - other);
    return Promise.resolve(ending.slice(0, count).map(([holder]) => holder));
  }

  raise(key: string, value: number, ttlMs: number): Promise<number> {
    this.#sweepSometimes();
    const now = this.#now();
    const mark = this.#marks.get(key);
    const before = mark && mark.untilMs > now ? mark.value : 0;
    if (value <= before) return Promise.resolve(0);
    this.#marks.set(key, { value, untilMs: now + ttlMs });
    return Promise.resolve(value - before);
  }

  #currentPlaces(key: string): Map<string, number> {
    const places = this.#places.get(key) ?? new Map<string, number>();
    for (const [holder, untilMs] of places) if (untilMs <= this.#now()) places.delete(holder);
    return places;
  }

  #sweepSometimes(): void {
    if (++this.#operations % sweepEvery !== 0) return;
    const now = this.#now();
    for (const [key, window] of this.#windows) if (window.resetAtMs <= now) this.#windows.delete(key);
    for (const [key, mark] of this.#marks) if (mark.untilMs <= now) this.#marks.delete(key);
    for (const key of this.#places.keys()) if (this.#currentPlaces(key).size === 0) this.#places.delete(key);
  }
}
