import { LRUCache } from "lru-cache";
import type { SessionEventKind } from "../../../protocol/session/session-event.ts";
import { Fault } from "../../faults/fault.ts";
import type { Store } from "../../store/store.ts";

/** The most characters in the details of a session's events: its lifecycle needs few, and a visitor may send as many as it likes. */
const detailsMaxCharacters = 1_048_576;

/** The same for all sessions together, until their events are too old. */
const allDetailsMaxCharacters = 256 * 1_048_576;

/** How many events of a session one process stores. A heartbeat every 10 s for a day is 8,640. */
const maxEvents = 10_000;

/** How many sessions are counted. The one that has not reported for longest is forgotten first. */
const countedSessions = 20_000;

/** What is stored of a reported event. */
export interface StoredPart {
  /** Whether the event is stored at all. */
  isStored: boolean;
  detail: string | null;
}

/**
 * How much of what visitors report is stored. Without room, events of the lifecycle still have their effect, because their news matters
 * more than their record; the others are refused.
 */
export class EventBudget {
  readonly #events: Store["events"];
  readonly #stored = new LRUCache<string, number>({ max: countedSessions });

  constructor({ events }: Pick<Store, "events">) {
    this.#events = events;
  }

  /** Takes the room for an event. Throws a Fault, status 403, where there is none and `isLifecycle` is false. */
  async take(
    sessionId: string,
    { event, detail }: { event: SessionEventKind; detail: string | null },
    isLifecycle: boolean,
  ): Promise<StoredPart> {
    const stored = this.#stored.get(sessionId) ?? 0;
    if (stored >= maxEvents) {
      if (isLifecycle) return { isStored: false, detail: null };
      const message = `A session stores ${maxEvents} events; send no more ${event} events.`;
      throw new Fault(403, "client_error", [
        { code: "session_events_exceeded", detail: message, attr: "event" },
      ]);
    }
    this.#stored.set(sessionId, stored + 1);
    const refusal = detail === null ? null : await this.#detailRefusal(sessionId, detail);
    if (refusal === null) return { isStored: true, detail };
    if (isLifecycle) return { isStored: true, detail: null };
    throw new Fault(403, "client_error", [{ ...refusal, attr: "detail" }]);
  }

  async #detailRefusal(sessionId: string, { length }: string) {
    if ((await this.#events.detailCharacters(sessionId)) + length > detailsMaxCharacters)
      return {
        code: "session_details_exceeded",
        detail: `The details of a session's events may have ${detailsMaxCharacters} characters together; send the event without one.`,
      };
    if (await this.#events.reserveDetail(length, allDetailsMaxCharacters)) return null;
    return {
      code: "event_storage_full",
      detail: "The service has no space for more details of events; send the event without one.",
    };
  }
}
