import { ownField } from "../own-field.ts";
import type { RelayLimits, ServiceCall } from "../relay-deps.ts";
import { requestService } from "../service/service-request.ts";
import type { Counter } from "../../protocol/counter.ts";
import type { VisavisLimit } from "../../protocol/visavis-error-code.ts";
import { RelayError } from "../relay-error.ts";

/** What the service's record says about a session. */
export interface SessionRecord {
  /** `gone`: it has ended, or the service does not know it. `unknown`: the service could not say. */
  state: "live" | "gone" | "unknown";
  /** How long it was in progress, in ms; null if the record does not say. */
  durationMs: number | null;
}

const unknown: SessionRecord = { state: "unknown", durationMs: null };

/** Reads a session's record (interface specification, Session as retrieved). Never rejects. */
export async function readSessionRecord(service: ServiceCall, sessionId: string): Promise<SessionRecord> {
  try {
    const response = await requestService(service, `/api/v1/session/${encodeURIComponent(sessionId)}/`);
    if (response.status === 404 || response.status === 410) return { state: "gone", durationMs: null };
    if (!response.ok) return unknown;
    const body: unknown = await response.json();
    const status = ownField(body, "status");
    const duration = ownField(body, "duration_sec");
    if (typeof status !== "string") return unknown;
    return {
      state: status === "TERMINATED" ? "gone" : "live",
      durationMs: typeof duration === "number" && duration >= 0 ? duration * 1000 : null,
    };
  } catch {
    return unknown;
  }
}

/** A place that was not renewed in this time becomes free in any case. */
const placeTtlMs = 24 * 60 * 60_000;

/** How long a place is held for a session that is being created: as long as the service waits for a connection. */
const pendingTtlMs = 60_000;
const pendingPrefix = "pending-";

/** After so long without a heartbeat the service is asked about a session: longer than the heartbeat's interval. */
const quietMs = 15_000;
/** The largest number of such requests at once, and of holders that are looked at for them. */
const questionsAtOnce = 10;
const holdersLookedAt = 200;
/** Shortest time between two checks of the same key's places. */
const askAgainMs = 1_000;

/** A visitor who wants a session or has one. */
export interface Visitor {
  contextId: string;
  /** The name of the address from which the session was opened (`ClientAddresses`). */
  address: string | null;
  visitorId: string | null;
}

/** The service's answer about a session that held a place of a context. */
type RecordHandler = (contextId: string, sessionId: string, record: SessionRecord) => Promise<void>;

interface Place {
  key: string;
  limit: number;
  /** The limit to name when it is full. */
  full: VisavisLimit;
  /** Set for the context's own place, of which each session has exactly one. */
  contextId?: string;
}

/** What live places depend on. */
interface LivePlacesParts {
  counter: Counter;
  limits: RelayLimits;
  now(): number;
  read(sessionId: string): Promise<SessionRecord>;
  onRecord: RecordHandler;
}

/**
 * The places of live sessions, by visitor, address and context. A place becomes free when the service says that its session
 * has ended, not when heartbeats stop, because a session can be kept alive without the relay.
 */
export class LivePlaces {
  readonly #parts: LivePlacesParts;
  readonly #settling = new Map<string, Promise<void>>();
  readonly #askedAtMs = new Map<string, number>();

  constructor(parts: LivePlacesParts) {
    this.#parts = parts;
  }

  /**
   * Takes the places of a session that is about to be created. Returns the holder's name until `confirm`.
   *
   * @throws RelayError quota_exceeded (403).
   */
  async take(visitor: Visitor): Promise<string> {
    const holder = pendingPrefix + crypto.randomUUID();
    const taken: Place[] = [];
    for (const place of this.#places(visitor)) {
      if (await this.#takeOne(place, holder)) {
        taken.push(place);
        continue;
      }
      await Promise.all(taken.map(({ key }) => this.#parts.counter.release(key, holder)));
      throw RelayError.quotaExceeded(place.full);
    }
    return holder;
  }

  /** The session was created. It is the holder of the places from now on. */
  async confirm(visitor: Visitor, holder: string, sessionId: string): Promise<void> {
    await this.keep(visitor, sessionId);
    await this.release(visitor, holder);
  }

  /** A heartbeat: renews the places. A live session keeps them even if all others are taken by now. */
  async keep(visitor: Visitor, sessionId: string): Promise<void> {
    const { counter } = this.#parts;
    await Promise.all(
      this.#places(visitor).map(({ key }) => counter.hold(key, sessionId, Infinity, placeTtlMs)),
    );
  }

  /** Gives the places back. Returns whether the session still had its context's place. */
  async release(visitor: Visitor, holder: string): Promise<boolean> {
    const places = this.#places(visitor);
    const held = await Promise.all(places.map(({ key }) => this.#parts.counter.release(key, holder)));
    return places.some(({ contextId }, index) => contextId !== undefined && held[index]);
  }

  /** Asks the service about a context's sessions without recent heartbeats. */
  async settleContext(contextId: string): Promise<void> {
    await this.#settle(this.#contextPlace(contextId));
  }

  async #takeOne(place: Place, holder: string): Promise<boolean> {
    const { counter } = this.#parts;
    const take = () => counter.hold(place.key, holder, place.limit, pendingTtlMs);
    if (await take()) return true;
    await this.#settle(place);
    return take();
  }

  /** Frees the places of sessions that have ended. One check at a time for each key. */
  async #settle(place: Place): Promise<void> {
    const current = this.#settling.get(place.key);
    if (current) return current;
    const now = this.#parts.now();
    if (now - (this.#askedAtMs.get(place.key) ?? -Infinity) < askAgainMs) return;
    for (const [key, atMs] of this.#askedAtMs) if (now - atMs >= askAgainMs) this.#askedAtMs.delete(key);
    this.#askedAtMs.set(place.key, now);
    const round = this.#ask(place).finally(() => this.#settling.delete(place.key));
    this.#settling.set(place.key, round);
    return round;
  }

  async #ask(place: Place): Promise<void> {
    const { counter, read } = this.#parts;
    const holders = await counter.holders(place.key, placeTtlMs - quietMs, holdersLookedAt);
    const quiet = holders.filter((holder) => !holder.startsWith(pendingPrefix)).slice(0, questionsAtOnce);
    await Promise.all(quiet.map(async (sessionId) => this.#apply(place, sessionId, await read(sessionId))));
  }

  async #apply({ key, contextId }: Place, sessionId: string, record: SessionRecord): Promise<void> {
    const { counter, onRecord } = this.#parts;
    if (record.state === "unknown") return;
    if (record.state === "live") await counter.hold(key, sessionId, Infinity, placeTtlMs);
    const wasHeld = record.state === "live" || (await counter.release(key, sessionId));
    if (wasHeld && contextId !== undefined) await onRecord(contextId, sessionId, record);
  }

  #contextPlace(contextId: string): Place {
    const limit = this.#parts.limits.livePerContext;
    return { key: `live:context:${contextId}`, limit, full: "busy", contextId };
  }

  #places({ contextId, address, visitorId }: Visitor): Place[] {
    const { livePerVisitor, livePerAddress } = this.#parts.limits;
    const places: Place[] = [];
    if (visitorId !== null) {
      const key = `live:visitor:${contextId}:${visitorId}`;
      places.push({ key, limit: livePerVisitor, full: "open" });
    }
    if (address !== null)
      places.push({ key: `live:address:${address}`, limit: livePerAddress, full: "busy" });
    return [...places, this.#contextPlace(contextId)];
  }
}
