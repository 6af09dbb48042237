import type { EmbedContext } from "../../protocol/settings/embed-context.ts";
import type { Counter } from "../../protocol/counter.ts";
import { LivePlaces, type SessionRecord, type Visitor } from "./live-places.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayClock, RelayLimits } from "../relay-deps.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A session's talk time is remembered for so long after it last grew, */
const talkMarkTtlMs = dayMs;
/** and for so long after the session's end: longer than any of its tokens is valid. */
const endedMarkTtlMs = 10 * minuteMs;

/** The admission of one session that is about to be created. */
export interface Ticket {
  visitor: Visitor;
  /** The name of the holder of its places. */
  holder: string;
  /** The daily quotas in which it was counted. */
  dayKeys: readonly string[];
}

/** What admission depends on. */
export interface AdmissionParts {
  counter: Counter;
  limits: RelayLimits;
  clock: RelayClock;
  /** The service's record of a session. */
  readRecord(sessionId: string): Promise<SessionRecord>;
}

/** Counts sessions started, sessions live and minutes used, by context, address and visitor. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #places: LivePlaces;

  constructor(parts: AdmissionParts) {
    const { counter, limits, clock, readRecord } = parts;
    this.#parts = parts;
    this.#places = new LivePlaces({
      counter,
      limits,
      now: () => clock.now(),
      read: readRecord,
      onRecord: (contextId, sessionId, record) => this.#countRecord(contextId, sessionId, record),
    });
  }

  /**
   * Takes the places of a new session. The caller then calls either `opened` or `withdraw`.
   *
   * @throws RelayError rate_limited (429) when too many were started in this minute; quota_exceeded (403) when too many
   * are live or the day's quota is used up.
   */
  async admit(context: EmbedContext, visitor: Visitor): Promise<Ticket> {
    await this.#countStart(visitor);
    await this.#checkMinutes(context);
    const dayKeys = await this.#countDay(context, visitor);
    try {
      return { visitor, holder: await this.#places.take(visitor), dayKeys };
    } catch (error) {
      await this.#giveBack(dayKeys);
      throw error;
    }
  }

  /** The session was created. It holds the places until the service says that it has ended. */
  async opened({ visitor, holder }: Ticket, sessionId: string): Promise<void> {
    await this.#places.confirm(visitor, holder, sessionId);
  }

  /** The session was not created. `mayLive`: it may have been; then its places are kept for the time that it could wait for a connection. */
  async withdraw({ visitor, holder, dayKeys }: Ticket, mayLive: boolean): Promise<void> {
    if (mayLive) return;
    await Promise.all([this.#giveBack(dayKeys), this.#places.release(visitor, holder)]);
  }

  /**
   * A heartbeat that the service accepted: keeps the places and counts the session's time towards the context's minutes.
   * The time is counted from the session's start, so that a heartbeat adds only the new part, even if it is replayed.
   */
  async renew(visitor: Visitor, sessionId: string, startedAtMs: number): Promise<void> {
    const talkedMs = this.#parts.clock.now() - startedAtMs;
    await Promise.all([
      this.#places.keep(visitor, sessionId),
      this.#countTalk(visitor.contextId, sessionId, talkedMs, talkMarkTtlMs),
    ]);
  }

  /** How much of the context's minutes of today is left, in ms; null if the owner has set no limit. */
  async dayLeftMs({ context_id: contextId, embed_config: { limits } }: EmbedContext): Promise<number | null> {
    if (limits?.minutes_per_day === undefined) return null;
    const { total } = await this.#parts.counter.add(`talk:${contextId}`, 0, dayMs);
    return Math.max(0, limits.minutes_per_day * minuteMs - total);
  }

  /** The session has ended: gives the places back at once and counts its time by the service's record. */
  async release(visitor: Visitor, sessionId: string): Promise<void> {
    // A repeated end causes no request to the service.
    if (!(await this.#places.release(visitor, sessionId))) return;
    await this.#countRecord(visitor.contextId, sessionId, await this.#parts.readRecord(sessionId));
  }

  async #countRecord(contextId: string, sessionId: string, record: SessionRecord): Promise<void> {
    if (record.durationMs === null) return;
    const ttlMs = record.state === "gone" ? endedMarkTtlMs : talkMarkTtlMs;
    await this.#countTalk(contextId, sessionId, record.durationMs, ttlMs);
  }

  async #countTalk(contextId: string, sessionId: string, talkedMs: number, ttlMs: number): Promise<void> {
    const { counter } = this.#parts;
    const riseMs = await counter.raise(`talked:${sessionId}`, Math.max(0, talkedMs), ttlMs);
    if (riseMs > 0) await counter.add(`talk:${contextId}`, riseMs, dayMs);
  }

  async #countStart({ contextId, address, visitorId }: Visitor): Promise<void> {
    const { counter, limits, clock } = this.#parts;
    const counted: [string, number][] = [[`start:context:${contextId}`, limits.startsPerMinutePerContext]];
    if (address !== null) counted.unshift([`start:address:${address}`, limits.startsPerMinutePerAddress]);
    if (visitorId !== null) {
      counted.unshift([`start:visitor:${contextId}:${visitorId}`, limits.startsPerMinutePerVisitor]);
    }
    for (const [key, limit] of counted) {
      const { total, resetAtMs } = await counter.add(key, 1, minuteMs);
      if (total > limit) throw RelayError.rateLimited(limit, resetAtMs, clock.now());
    }
  }

  async #checkMinutes(context: EmbedContext): Promise<void> {
    const { context_id: contextId, embed_config: config } = context;
    if (config.limits?.minutes_per_day === undefined) return;
    // A session may go on without heartbeats to the relay. The service knows how long it lasted.
    await this.#places.settleContext(contextId);
    if ((await this.dayLeftMs(context)) === 0) throw RelayError.quotaExceeded("day");
  }

  /** Counts one of the day's conversations for the visitor and for the address, which several visitors may share. */
  async #countDay(context: EmbedContext, { contextId, address, visitorId }: Visitor): Promise<string[]> {
    const perVisitor = context.embed_config.limits?.sessions_per_visitor;
    if (perVisitor === undefined) return [];
    const shares: [string, number][] = [];
    if (visitorId !== null) shares.push([`day:${contextId}:visitor:${visitorId}`, perVisitor]);
    if (address !== null) {
      // A browser without a visitor id is counted by its address.
      const visitors = visitorId === null ? 1 : this.#parts.limits.visitorsPerAddress;
      shares.push([`day:${contextId}:address:${address}`, perVisitor * visitors]);
    }
    const counted: string[] = [];
    for (const [key, limit] of shares) {
      const { total } = await this.#parts.counter.add(key, 1, dayMs);
      counted.push(key);
      if (total <= limit) continue;
      await this.#giveBack(counted);
      throw RelayError.quotaExceeded("visitor");
    }
    return counted;
  }

  async #giveBack(dayKeys: readonly string[]): Promise<void> {
    await Promise.all(dayKeys.map((key) => this.#parts.counter.add(key, -1, dayMs)));
  }
}
