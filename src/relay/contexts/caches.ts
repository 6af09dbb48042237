import { LRUCache } from "lru-cache";
import { within } from "../../timing/time-limit.ts";
import { RelayError } from "../relay-error.ts";

/** How much a cache keeps, and for how long. */
interface ExpiringCacheOptions {
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

/** Longest wait for a load if there is an old value, in ms. */
const patienceMs = 1_000;
/** How long no load is tried again after a failure if there is an old value, in ms. */
const retryAfterMs = 5_000;
/** The same without an old value: short, so that a visitor's "Try again" reaches a service that has recovered. */
const bareRetryAfterMs = 250;

interface Entry<Value> {
  known?: { value: Value; atMs: number };
  loading?: Promise<Value>;
  failure?: { error: unknown; untilMs: number };
}

/** How long values are used, in ms. */
interface StaleCacheOptions {
  /** A value is used without a new load for this time. */
  freshMs: number;
  /** An old value is used for this time while a new one cannot be loaded. */
  staleMs: number;
  maxEntries: number;
  now(): number;
}

/** Whether a failure means that the service is unavailable, and not that it refused. */
function isPassing(error: unknown): boolean {
  return !(error instanceof RelayError) || error.status === 503;
}

/**
 * Keeps loaded values. Concurrent calls share one load. While new values cannot be loaded (429, 5xx, no response), the old
 * one is used, and a recent failure is repeated without a new load. The least recently used entries are dropped first.
 */
export class StaleCache<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #options: StaleCacheOptions;

  constructor(options: StaleCacheOptions) {
    this.#entries = new LRUCache({ max: options.maxEntries });
    this.#options = options;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The value, loaded if it is older than `freshMs`. Rejects as the load does if no old value can be used. */
  async get(key: string, load: () => Promise<Value>, freshMs = this.#options.freshMs): Promise<Value> {
    const entry = this.#entry(key);
    const now = this.#options.now();
    if (entry.known && now - entry.known.atMs < freshMs) return entry.known.value;
    const former = this.#standIn(entry);
    if (!entry.loading && entry.failure && entry.failure.untilMs > now) {
      if (former && isPassing(entry.failure.error)) return former.value;
      throw entry.failure.error;
    }
    const loading = (entry.loading ??= this.#load(entry, load));
    try {
      return await (former ? within(patienceMs, loading, () => former.value) : loading);
    } catch (error) {
      if (former && isPassing(error)) return former.value;
      throw error;
    }
  }

  #load(entry: Entry<Value>, load: () => Promise<Value>): Promise<Value> {
    const { now } = this.#options;
    const loading = load().then(
      (value) => {
        entry.known = { value, atMs: now() };
        delete entry.failure;
        delete entry.loading;
        return value;
      },
      (error: unknown) => {
        const waitMs = this.#standIn(entry) ? retryAfterMs : bareRetryAfterMs;
        entry.failure = { error, untilMs: now() + waitMs };
        delete entry.loading;
        throw error;
      },
    );
    // The caller may have continued with the old value already.
    loading.catch(() => undefined);
    return loading;
  }

  #standIn(entry: Entry<Value>): { value: Value } | undefined {
    const { now, staleMs } = this.#options;
    return entry.known && now() - entry.known.atMs < staleMs ? entry.known : undefined;
  }

  #entry(key: string): Entry<Value> {
    const known = this.#entries.get(key);
    if (known) return known;
    const entry: Entry<Value> = {};
    this.#entries.set(key, entry);
    return entry;
  }
}
