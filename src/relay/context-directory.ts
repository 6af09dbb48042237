import type { EmbedContext } from "../protocol/embed-context.ts";
import type { Counter } from "./counter.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { RelayError } from "./relay-error.ts";
import type { ContextSource, RelayClock } from "./relay-deps.ts";
import { StaleCache } from "./stale-cache.ts";

/** So long a change of a context may go unnoticed, in ms. */
const contextFreshMs = 2_000;
/** So long a context is served while the service cannot say anything about it. */
const contextStaleMs = 10 * 60_000;
const maxContexts = 1_000;

/** A name that stands for nothing is answered from memory for so long. */
const unknownTtlMs = 10_000;
const maxUnknown = 10_000;

/** Names that once stood for a context: asking for them is no guess. */
const maxKnownNames = 10_000;

/** Names that stood for nothing in a minute: of one address, and of all of them together (the service's key has 6,000 reads). */
const guessesPerAddress = 20;
const guessesOfAll = 600;
const minuteMs = 60_000;

const contextIdPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** What a directory is made from. */
export interface ContextDirectoryParts {
  source: ContextSource;
  counter: Counter;
  clock: RelayClock;
}

/**
 * The contexts that pages name. Made-up names cost the service next to nothing: each address may guess a few times in a
 * minute, and what is known is neither pushed out by guesses nor lost while the service is away.
 */
export class ContextDirectory {
  readonly #parts: ContextDirectoryParts;
  readonly #contexts: StaleCache<EmbedContext | null>;
  readonly #unknown: ExpiringCache<null>;
  readonly #knownNames = new Set<string>();
  readonly #guesses = new Map<string, Promise<EmbedContext | null>>();

  constructor(parts: ContextDirectoryParts) {
    this.#parts = parts;
    const now = () => parts.clock.now();
    const times = { freshMs: contextFreshMs, staleMs: contextStaleMs };
    this.#contexts = new StaleCache({ ...times, maxEntries: maxContexts, now });
    this.#unknown = new ExpiringCache({ ttlMs: unknownTtlMs, maxEntries: maxUnknown, now });
  }

  /**
   * The context of that name; null where there is none. `address` names who asks; null where that cannot be told.
   *
   * @throws RelayError rate_limited after too many names that stand for nothing; engine_failed.
   */
  async find(contextId: string, address: string | null): Promise<EmbedContext | null> {
    if (!contextIdPattern.test(contextId) || this.#unknown.has(contextId)) return null;
    if (this.#knownNames.has(contextId)) return this.get(contextId);
    const asked = this.#guesses.get(contextId) ?? this.#guess(contextId, address);
    this.#guesses.set(contextId, asked);
    return asked.finally(() => this.#guesses.delete(contextId));
  }

  /** The same for a name that is known to have stood for a context. @throws RelayError engine_failed. */
  async get(contextId: string): Promise<EmbedContext | null> {
    if (this.#unknown.has(contextId)) return null;
    const context = await this.#contexts.get(contextId, () => this.#parts.source.get(contextId));
    if (context === null) this.#forget(contextId);
    else this.#remember(contextId);
    return context;
  }

  #remember(contextId: string): void {
    if (this.#knownNames.has(contextId)) return;
    if (this.#knownNames.size >= maxKnownNames) this.#knownNames.clear();
    this.#knownNames.add(contextId);
  }

  #forget(contextId: string): void {
    this.#knownNames.delete(contextId);
    this.#contexts.delete(contextId);
    void this.#unknown.get(contextId, () => Promise.resolve(null));
  }

  /** Counted before it is asked, so that many at once are not all let through; a name that is right costs nothing. */
  async #guess(contextId: string, address: string | null): Promise<EmbedContext | null> {
    const { counter } = this.#parts;
    const counted: string[] = [];
    const count = async (key: string, limit: number) => {
      const { total, resetAtMs } = await counter.add(key, 1, minuteMs);
      if (total > limit) throw RelayError.rateLimited(limit, resetAtMs, this.#parts.clock.now());
      counted.push(key);
    };
    if (address !== null) await count(`guess:address:${address}`, guessesPerAddress);
    await count("guess:all", guessesOfAll);
    const context = await this.get(contextId);
    if (context !== null) await Promise.all(counted.map((key) => counter.add(key, -1, minuteMs)));
    return context;
  }
}
