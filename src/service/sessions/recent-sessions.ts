import { LRUCache } from "lru-cache";
import type { SessionRecord } from "../store/store.ts";

/** The number of sessions kept; each takes about 400 bytes. */
const remembered = 50_000;

/**
 * Live sessions as this process saved them last, so that a heartbeat does not have to read what the previous heartbeat wrote.
 * Another process may have changed a session since. In that case, saving fails and the session is read again.
 */
export class RecentSessions {
  /** With `max`, an empty cache would already take the memory and the time of a full one. */
  readonly #sessions = new LRUCache<string, SessionRecord>({ maxSize: remembered, sizeCalculation: () => 1 });

  get(sessionId: string): SessionRecord | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Keeps a saved session, unless it has ended: an ended session does not change any more. */
  keep(session: SessionRecord): void {
    if (session.deadlineAtMs === null) this.#sessions.delete(session.id);
    else this.#sessions.set(session.id, session);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
