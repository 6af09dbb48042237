/**
 * Keeps what was loaded for a short while. Concurrent askers share one load; a failed load is not kept. The oldest
 * entries go when there are more than `maxEntries`, so that made-up keys cannot fill the memory.
 */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; untilMs: number }>();
  readonly #options: { ttlMs: number; maxEntries: number; now: () => number };

  constructor(options: { ttlMs: number; maxEntries: number; now: () => number }) {
    this.#options = options;
  }

  /** Whether a value is kept, or being loaded. */
  has(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.untilMs > this.#options.now();
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const { ttlMs, maxEntries, now } = this.#options;
    const entry = this.#entries.get(key);
    if (entry && entry.untilMs > now()) return entry.value;
    const value = load();
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: now() + ttlMs });
    value.catch(() => {
      if (this.#entries.get(key)?.value === value) this.#entries.delete(key);
    });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}
