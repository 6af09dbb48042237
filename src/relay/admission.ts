import type { EmbedContext } from "../protocol/embed-context.ts";
import type { Counter } from "./counter.ts";
import { LivePlaces, type Visitor } from "./live-places.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayClock, RelayLimits } from "./relay-deps.ts";
import type { SessionRecord } from "./session-record.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** How long a session has talked is remembered for so long after it last grew, */
const talkMarkTtlMs = dayMs;
/** and so long after the session's end: longer than any of its tokens holds. */
const endedMarkTtlMs = 10 * minuteMs;

/** The admission of one session that is about to be created. */
export interface Ticket {
  visitor: Visitor;
  /** The name under which its places are held. */
  holder: string;
  /** The day's shares it was counted in. */
  dayKeys: readonly string[];
}

/** What admission is made from. */
export interface AdmissionParts {
  counter: Counter;
  limits: RelayLimits;
  clock: RelayClock;
  /** The service's record of a session. */
  readRecord(sessionId: string): Promise<SessionRecord>;
}

/** Counts what visitors start, hold and use: by context, address and visitor. */
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
   * Takes the places of a new session; then comes either `opened` or `withdraw`.
   *
   * @throws RelayError rate_limited (429) when too many were started in this minute; quota_exceeded (403) when too many
   * are live or the day's share is used up.
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

  /** The session was created: it holds the places until the service says that it has ended. */
  async opened({ visitor, holder }: Ticket, sessionId: string): Promise<void> {
    await this.#places.confirm(visitor, holder, sessionId);
  }

  /** No session came of it. `mayLive`: or nobody knows; the places are kept as long as it could wait for a connection. */
  async withdraw({ visitor, holder, dayKeys }: Ticket, mayLive: boolean): Promise<void> {
    if (mayLive) return;
    await Promise.all([this.#giveBack(dayKeys), this.#places.release(visitor, holder)]);
  }

  /**
   * A heartbeat that the service took: keeps the places, and counts the session's time towards the context's minutes. The
   * time is the session's own, so that a heartbeat, or one that is replayed, adds only what is new.
   */
  async renew(visitor: Visitor, sessionId: string, startedAtMs: number): Promise<void> {
    const talkedMs = this.#parts.clock.now() - startedAtMs;
    await Promise.all([
      this.#places.keep(visitor, sessionId),
      this.#countTalk(visitor.contextId, sessionId, talkedMs, talkMarkTtlMs),
    ]);
  }

  /** The session has ended: gives the places back at once, and counts the time that the service's record says. */
  async release(visitor: Visitor, sessionId: string): Promise<void> {
    // Whoever repeats the end asks nothing of the service.
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

  async #checkMinutes({ context_id: contextId, embed_config: { limits } }: EmbedContext): Promise<void> {
    if (limits?.minutes_per_day === undefined) return;
    // Sessions may live on without a word to the relay; the service knows how long they have.
    await this.#places.settleContext(contextId);
    const { total } = await this.#parts.counter.add(`talk:${contextId}`, 0, dayMs);
    if (total >= limits.minutes_per_day * minuteMs)
      throw RelayError.quotaExceeded("Today's minutes are used up.");
  }

  /** Counts a conversation of the day for the visitor and for the address, behind which there may be several. */
  async #countDay(context: EmbedContext, { contextId, address, visitorId }: Visitor): Promise<string[]> {
    const perVisitor = context.embed_config.limits?.sessions_per_visitor;
    if (perVisitor === undefined) return [];
    const shares: [string, number][] = [];
    if (visitorId !== null) shares.push([`day:${contextId}:visitor:${visitorId}`, perVisitor]);
    if (address !== null) {
      // Without a name of its own, a browser is its address.
      const visitors = visitorId === null ? 1 : this.#parts.limits.visitorsPerAddress;
      shares.push([`day:${contextId}:address:${address}`, perVisitor * visitors]);
    }
    const counted: string[] = [];
    for (const [key, limit] of shares) {
      const { total } = await this.#parts.counter.add(key, 1, dayMs);
      counted.push(key);
      if (total <= limit) continue;
      await this.#giveBack(counted);
      throw RelayError.quotaExceeded("This visitor's conversations for today are used up.");
    }
    return counted;
  }

  async #giveBack(dayKeys: readonly string[]): Promise<void> {
    await Promise.all(dayKeys.map((key) => this.#parts.counter.add(key, -1, dayMs)));
  }
}
