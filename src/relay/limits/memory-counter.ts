import type { Counter, CounterWindow } from "../../protocol/counter.ts";

/** Expired entries are removed once in so many operations. */
const sweepEvery = 1_000;

/** Counts in the memory of this process. Expired entries are removed while counting, so no timer is needed. */
export class MemoryCounter implements Counter {
  readonly #now: () => number;
  readonly #windows = new Map<string, CounterWindow>();
  readonly #places = new Map<string, Map<string, number>>();
  readonly #marks = new Map<string, { value: number; untilMs: number }>();
  #operations = 0;

  /** `now` returns milliseconds since the Unix epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  add(key: string, amount: number, windowMs: number): Promise<CounterWindow> {
    this.#sweepSometimes();
    const now = this.#now();
    const current = this.#windows.get(key);
    const next =
      current && current.resetAtMs > now
        ? { total: current.total + amount, resetAtMs: current.resetAtMs }
        : { total: amount, resetAtMs: now + windowMs };
    this.#windows.set(key, next);
    return Promise.resolve(next);
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
    for (const [key, { resetAtMs }] of this.#windows) if (resetAtMs <= now) this.#windows.delete(key);
    for (const [key, mark] of this.#marks) if (mark.untilMs <= now) this.#marks.delete(key);
    for (const key of this.#places.keys()) if (this.#currentPlaces(key).size === 0) this.#places.delete(key);
  }
}
