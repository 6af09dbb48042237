import { LRUCache } from "lru-cache";

/** How much a cache keeps, and for how long. */
export interface ExpiringCacheOptions {
  ttlMs: number;
  maxEntries: number;
  now(): number;
}

/**
 * Keeps loaded values for a short time. Concurrent calls share one load. A failed load is not kept. When there are more
 * than `maxEntries`, the least recently used are dropped, so that invented keys cannot fill the memory.
 */
export class ExpiringCache<Value> {
  readonly #entries: LRUCache<string, Promise<Value>>;

  constructor({ ttlMs, maxEntries, now }: ExpiringCacheOptions) {
    // With `max`, an empty cache would already take the memory and the time of a full one.
    const size = { maxSize: maxEntries, sizeCalculation: () => 1 };
    this.#entries = new LRUCache({ ...size, ttl: ttlMs, ttlResolution: 0, perf: { now } });
  }

  /** Whether a value is kept or being loaded. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known) return known;
    const value = load();
    this.#entries.set(key, value);
    value.catch(() => {
      if (this.#entries.peek(key) === value) this.#entries.delete(key);
    });
    return value;
  }
}
