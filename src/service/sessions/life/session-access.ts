import { Fault } from "../../faults/fault.ts";
import type { SessionRecord, Store } from "../../store/store.ts";
import { sessionIdPattern } from "./session-creation.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";

interface AccessParts {
  sessions: Pick<Store["sessions"], "byId">;
  lifecycle: Pick<SessionLifecycle, "apply">;
}

/** Finds the session that a call names. Every method throws a Fault when there is no such session. */
export class SessionAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  async existing(sessionId: string): Promise<SessionRecord> {
    const session = sessionIdPattern.test(sessionId) ? await this.#parts.sessions.byId(sessionId) : null;
    if (session === null) throw Fault.notFound();
    return session;
  }

  /** The session, if it belongs to the organization. */
  async owned(organizationId: string, sessionId: string): Promise<SessionRecord> {
    const session = await this.existing(sessionId);
    if (session.organizationId !== organizationId) throw Fault.notFound();
    return session;
  }

  /** Throws when the session has ended. Does not count as a sign of life. */
  async requireLive(sessionId: string): Promise<void> {
    this.#refuseEnded(await this.existing(sessionId));
  }

  /** The live session of a call that only a present client makes. So the call counts as a sign of life. */
  async live(sessionId: string): Promise<SessionRecord> {
    const session = sessionIdPattern.test(sessionId)
      ? await this.#parts.lifecycle.apply(sessionId, { type: "alive", by: "call" })
      : null;
    if (session === null) throw Fault.notFound();
    this.#refuseEnded(session);
    return session;
  }

  #refuseEnded({ state }: SessionRecord): void {
    if (state.terminationReason !== null) throw Fault.sessionEnded(state.terminationReason);
  }
}
