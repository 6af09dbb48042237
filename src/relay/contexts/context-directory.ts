import { LRUCache } from "lru-cache";
import { type EmbedContext, embedContextSchema } from "../../protocol/settings/embed-context.ts";
import type { Counter } from "../../protocol/counter.ts";
import { ExpiringCache, StaleCache } from "./caches.ts";
import { RelayError } from "../relay-error.ts";
import type { ContextSource, RelayClock, ServiceCall } from "../relay-deps.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { failureCodes, readService } from "../service/service-request.ts";

/** How long a context is used without asking the service again, in ms. */
const contextFreshMs = 2_000;
/** The same before a page is refused: owners try their page as soon as they have allowed it. */
const refusalFreshMs = 200;
/** How long a context is used while the service is not reachable, in ms. */
const contextStaleMs = 10 * 60_000;
const maxContexts = 1_000;

/** How long an unknown name is remembered as unknown, in ms. */
const unknownTtlMs = 10_000;
const maxUnknown = 10_000;

/** The largest number of names remembered as known contexts. Asking for one does not count as a guess. */
const maxKnownNames = 10_000;

/** Unknown names allowed in a minute, for one address and for all together (the service's key has 6,000 reads). */
const guessesPerAddress = 20;
const guessesOfAll = 600;
const minuteMs = 60_000;

const contextIdPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** What a directory depends on. */
interface ContextDirectoryParts {
  source: ContextSource;
  counter: Counter;
  clock: RelayClock;
}

/**
 * The contexts that pages name. Invented names cost the service almost nothing: each address may ask for only a few in a
 * minute. Known contexts are neither evicted by such requests nor lost while the service is not reachable.
 */
export class ContextDirectory {
  readonly #parts: ContextDirectoryParts;
  readonly #contexts: StaleCache<EmbedContext | null>;
  readonly #unknown: ExpiringCache<null>;
  /** With `max`, an empty cache would already take the memory and the time of a full one. */
  readonly #knownNames = new LRUCache<string, true>({ maxSize: maxKnownNames, sizeCalculation: () => 1 });
  readonly #guesses = new Map<string, Promise<EmbedContext | null>>();

  constructor(parts: ContextDirectoryParts) {
    this.#parts = parts;
    const now = () => parts.clock.now();
    const times = { freshMs: contextFreshMs, staleMs: contextStaleMs };
    this.#contexts = new StaleCache({ ...times, maxEntries: maxContexts, now });
    this.#unknown = new ExpiringCache({ ttlMs: unknownTtlMs, maxEntries: maxUnknown, now });
  }

  /**
   * The context of that name, or null. `address` is the name of the client's address; null if it is unknown.
   *
   * @throws RelayError rate_limited after too many unknown names; engine_failed.
   */
  async find(contextId: string, address: string | null): Promise<EmbedContext | null> {
    if (!contextIdPattern.test(contextId) || this.#unknown.has(contextId)) return null;
    if (this.#knownNames.has(contextId)) return this.get(contextId);
    const asked = this.#guesses.get(contextId) ?? this.#guess(contextId, address);
    this.#guesses.set(contextId, asked);
    return asked.finally(() => this.#guesses.delete(contextId));
  }

  /** The same for a name that is known to have been a context. @throws RelayError engine_failed. */
  get(contextId: string): Promise<EmbedContext | null> {
    return this.#get(contextId, contextFreshMs);
  }

  /** The same, to be asked before a page is refused for what the context says. @throws RelayError engine_failed. */
  getBeforeRefusal(contextId: string): Promise<EmbedContext | null> {
    return this.#get(contextId, refusalFreshMs);
  }

  async #get(contextId: string, freshMs: number): Promise<EmbedContext | null> {
    if (this.#unknown.has(contextId)) return null;
    const load = () => this.#parts.source.get(contextId);
    const context = await this.#contexts.get(contextId, load, freshMs);
    if (context === null) this.#forget(contextId);
    else this.#knownNames.set(contextId, true);
    return context;
  }

  #forget(contextId: string): void {
    this.#knownNames.delete(contextId);
    this.#contexts.delete(contextId);
    void this.#unknown.get(contextId, () => Promise.resolve(null));
  }

  /** Counts the request before the lookup, so that many at once do not all pass. A known name is not counted in the end. */
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

/** Null if the service knows no such context. Throws for all else, with what the operator of the relay reads in the log. */
async function refusedContext(response: Response): Promise<null> {
  const { status } = response;
  const codes = await failureCodes(response);
  const isKeyRefused = status === 401 || status === 403 || codes.includes("A0009");
  // Other servers answer unknown paths with a page.
  const isService = response.headers.get("content-type")?.includes("json") === true;
  if (status === 404 && isService && !isKeyRefused) return null;
  const remedy = isKeyRefused
    ? "Check SERVICE_API_KEY and SERVICE_API_KEY_HEADER."
    : "Check SERVICE_BASE_URL.";
  const answer = [status, ...codes].join(" ");
  const cause = new Error(`The list of contexts answered ${answer}. ${remedy}`);
  throw RelayError.engineFailed(502, "The avatar service refused to list the context.", cause);
}

async function loadContext(service: ServiceCall, path: string): Promise<EmbedContext | null> {
  const response = await readService(service, path);
  if (!response.ok) return refusedContext(response);
  const body: unknown = await response.json().catch(() => null);
  const first: unknown = Array.isArray(body) ? (body[0] ?? null) : body;
  if (first === null) return null;
  const parsed = embedContextSchema.safeParse(first);
  if (!parsed.success) {
    throw RelayError.engineFailed(502, "The avatar service sent an invalid context.", parsed.error);
  }
  return { ...parsed.data, embed_config: readConfig(parsed.data.embed_config) };
}

/** Finds contexts by their public key in the service's own list. */
export function serviceContexts(service: ServiceCall): ContextSource {
  return {
    get: (contextId) =>
      loadContext(service, `/api/console/b2c/contexts/?context_id=${encodeURIComponent(contextId)}`),
  };
}

/** Finds contexts in a service that knows them by UUID only. `uuids` maps public keys to UUIDs. */
export function mappedContexts(service: ServiceCall, uuids: ReadonlyMap<string, string>): ContextSource {
  return {
    get: async (contextId) => {
      const uuid = uuids.get(contextId);
      if (uuid === undefined) return null;
      return loadContext(service, `/api/console/b2c/contexts/${encodeURIComponent(uuid)}/`);
    },
  };
}
