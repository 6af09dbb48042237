import type { EmbedContext } from "../protocol/embed-context.ts";
import type { Counter } from "./counter.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayClock, RelayLimits } from "./relay-deps.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A place is free again when no heartbeat renewed it for so long: longer than the service's lease. */
const placeTtlMs = 45_000;

/** The longest time between heartbeats that is counted as talk: beyond it the session was asleep. */
const countedGapMaxMs = 60_000;

/** Who asks for a session, or holds one. */
export interface Visitor {
  contextId: string;
  address: string | null;
  visitorId: string | null;
}

interface Place {
  key: string;
  limit: number;
  full: string;
}

/** Counts what visitors start and hold: by context, address and visitor. */
export class Admission {
  readonly #counter: Counter;
  readonly #limits: RelayLimits;
  readonly #clock: RelayClock;

  constructor(counter: Counter, limits: RelayLimits, clock: RelayClock) {
    this.#counter = counter;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Takes the places of a new session under `holder`; give them back with `release`.
   *
   * @throws RelayError rate_limited (429) when too many were started in this minute; quota_exceeded (403) when too many
   * are live or the day's share is used up.
   */
  async admit(context: EmbedContext, visitor: Visitor, holder: string): Promise<void> {
    await this.#countStarts(visitor);
    await this.#checkDay(context, visitor);
    const taken: Place[] = [];
    for (const place of this.#places(visitor)) {
      if (await this.#counter.hold(place.key, holder, place.limit, placeTtlMs)) {
        taken.push(place);
        continue;
      }
      await Promise.all(taken.map(({ key }) => this.#counter.release(key, holder)));
      throw RelayError.quotaExceeded(place.full);
    }
  }

  /** A sign of life: keeps the places, and counts the time since the last one towards the context's minutes. */
  async renew(visitor: Visitor, holder: string, lastSignAtMs: number): Promise<void> {
    const talkedMs = Math.min(Math.max(0, this.#clock.now() - lastSignAtMs), countedGapMaxMs);
    await this.#counter.add(`talk:${visitor.contextId}`, talkedMs, dayMs);
    // Whoever is in keeps the place, even when others filled up meanwhile.
    await Promise.all(
      this.#places(visitor).map(({ key }) => this.#counter.hold(key, holder, Infinity, placeTtlMs)),
    );
  }

  /** Gives the places back. */
  async release(visitor: Visitor, holder: string): Promise<void> {
    await Promise.all(this.#places(visitor).map(({ key }) => this.#counter.release(key, holder)));
  }

  async #countStarts({ contextId, address, visitorId }: Visitor): Promise<void> {
    const limits = this.#limits;
    const counted: [string, number][] = [[`start:context:${contextId}`, limits.startsPerMinutePerContext]];
    if (address !== null) counted.unshift([`start:address:${address}`, limits.startsPerMinutePerAddress]);
    if (visitorId !== null) {
      counted.unshift([`start:visitor:${contextId}:${visitorId}`, limits.startsPerMinutePerVisitor]);
    }
    for (const [key, limit] of counted) {
      const { total, resetAtMs } = await this.#counter.add(key, 1, minuteMs);
      if (total > limit) throw RelayError.rateLimited(limit, resetAtMs, this.#clock.now());
    }
  }

  async #checkDay(context: EmbedContext, { contextId, address, visitorId }: Visitor): Promise<void> {
    const { sessions_per_visitor: sessions, minutes_per_day: minutes } = context.embed_config.limits ?? {};
    const name = visitorId ?? address;
    if (sessions !== undefined && name !== null) {
      const { total } = await this.#counter.add(`day:${contextId}:${name}`, 1, dayMs);
      if (total > sessions)
        throw RelayError.quotaExceeded("This visitor's conversations for today are used up.");
    }
    if (minutes !== undefined) {
      const { total } = await this.#counter.add(`talk:${contextId}`, 0, dayMs);
      if (total >= minutes * minuteMs) throw RelayError.quotaExceeded("Today's minutes are used up.");
    }
  }

  #places({ contextId, address, visitorId }: Visitor): Place[] {
    const { livePerVisitor, livePerAddress, livePerContext } = this.#limits;
    const busy = "All lines are busy.";
    const places = [{ key: `live:context:${contextId}`, limit: livePerContext, full: busy }];
    if (address !== null)
      places.unshift({ key: `live:address:${address}`, limit: livePerAddress, full: busy });
    if (visitorId !== null) {
      const full = "This visitor already has as many conversations open as may be.";
      places.unshift({ key: `live:visitor:${contextId}:${visitorId}`, limit: livePerVisitor, full });
    }
    return places;
  }
}
