import { BoundedMap } from "../bounded-map.ts";
import type { SessionRecord } from "../store/store.ts";

/** About 400 bytes each. */
const remembered = 50_000;

/**
 * Live sessions as this process saved them last, so that a heartbeat need not read what the one before has written. Another
 * process may have changed one since: saving upon a remembered session fails then, and it is read anew.
 */
export class RecentSessions {
  readonly #sessions = new BoundedMap<string, SessionRecord>(remembered);

  get(sessionId: string): SessionRecord | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Keeps what was saved; one that has ended is not changed any more. */
  keep(session: SessionRecord): void {
    if (session.deadlineAtMs === null) this.#sessions.delete(session.id);
    else this.#sessions.set(session.id, session);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
