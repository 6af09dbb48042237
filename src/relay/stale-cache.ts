import { RelayError } from "./relay-error.ts";

/** With a former value at hand, a load that takes longer is not waited for. */
const patienceMs = 1_000;
/** After a failure nothing is loaded again for so long, where a former value stands in. */
const retryAfterMs = 5_000;
/** The same without a former value: short, so that a visitor's "Try again" reaches a service that is back. */
const bareRetryAfterMs = 250;

interface Entry<Value> {
  known?: { value: Value; atMs: number };
  loading?: Promise<Value>;
  failure?: { error: unknown; untilMs: number };
}

/** How long values are good for. */
export interface StaleCacheOptions {
  /** So long a value is taken as it is. */
  freshMs: number;
  /** So long it stands in while a new one cannot be loaded. */
  staleMs: number;
  maxEntries: number;
  now(): number;
}

/** Whether a failure means that the service cannot answer now, and not that it answered no. */
function isPassing(error: unknown): boolean {
  return !(error instanceof RelayError) || error.status === 503;
}

async function withPatience<Value>(loading: Promise<Value>, former: Value): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(former), patienceMs);
  });
  return Promise.race([loading, late]).finally(() => clearTimeout(timer));
}

/**
 * Keeps what was loaded. Concurrent askers share one load. While new values cannot be loaded (429, 5xx, no answer), the
 * former one stands in, and a failure is answered again without asking. The entries unused for longest go first.
 */
export class StaleCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #options: StaleCacheOptions;

  constructor(options: StaleCacheOptions) {
    this.#options = options;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The value, loaded where it is not fresh. Rejects as the load does where no former value may stand in. */
  async get(key: string, load: () => Promise<Value>): Promise<Value> {
    const entry = this.#touch(key);
    const now = this.#options.now();
    if (entry.known && now - entry.known.atMs < this.#options.freshMs) return entry.known.value;
    const former = this.#standIn(entry);
    if (!entry.loading && entry.failure && entry.failure.untilMs > now) {
      if (former && isPassing(entry.failure.error)) return former.value;
      throw entry.failure.error;
    }
    const loading = (entry.loading ??= this.#load(entry, load));
    try {
      return await (former ? withPatience(loading, former.value) : loading);
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
    // Whoever asked may have gone on with the former value by then.
    loading.catch(() => undefined);
    return loading;
  }

  #standIn(entry: Entry<Value>): { value: Value } | undefined {
    const { now, staleMs } = this.#options;
    return entry.known && now() - entry.known.atMs < staleMs ? entry.known : undefined;
  }

  #touch(key: string): Entry<Value> {
    const entry = this.#entries.get(key) ?? {};
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }
}
