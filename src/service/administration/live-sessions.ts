import type { SessionLifecycle } from "../sessions/life/session-lifecycle.ts";
import { sessionDurationSec } from "../sessions/life/session-machine.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";

/** How many sessions are read at once. */
const pageSize = 100;

/** A live session for its operator. Its id gives access to the session. */
export interface LiveSession {
  id: string;
  status: SessionRecord["state"]["status"];
  createdAtMs: number;
  durationSec: number;
  /** The public embed key of its context; null if it has none. */
  contextId: string | null;
}

/** The live sessions of an organization, the oldest first. */
export async function listLiveSessions(
  { sessions, contexts }: Pick<Store, "sessions" | "contexts">,
  organizationId: string,
): Promise<LiveSession[]> {
  const live: SessionRecord[] = [];
  let after: SessionRecord | undefined;
  do {
    // Every live session has a deadline, so all of them are due at the latest possible time.
    const page = await sessions.due(Number.MAX_SAFE_INTEGER, pageSize, after);
    live.push(...page.filter((session) => session.organizationId === organizationId));
    after = page.length === pageSize ? page.at(-1) : undefined;
  } while (after);
  const contextIds = new Map(
    (await contexts.list(organizationId)).map(({ id, contextId }) => [id, contextId]),
  );
  return live
    .sort((one, other) => one.state.createdAtMs - other.state.createdAtMs)
    .map(({ id, contextUuid, state }) => ({
      id,
      status: state.status,
      createdAtMs: state.createdAtMs,
      durationSec: sessionDurationSec(state),
      contextId: (contextUuid !== null && contextIds.get(contextUuid)) || null,
    }));
}

/**
 * Ends a session of an organization. Resolves with its termination reason; null if it no longer exists. Throws
 * AdministrationError `not_found` and `session_ended`.
 */
export async function endLiveSession(
  { sessions, lifecycle }: Pick<Store, "sessions"> & { lifecycle: Pick<SessionLifecycle, "apply"> },
  organizationId: string,
  id: string,
): Promise<string | null> {
  const known = await sessions.byId(id);
  if (known?.organizationId !== organizationId)
    throw new AdministrationError("not_found", `There is no session "${id}".`);
  if (known.state.terminationReason !== null)
    throw new AdministrationError(
      "session_ended",
      `Session ${id} has ended already (${known.state.terminationReason}).`,
    );
  const trigger = { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" } as const;
  const ended = await lifecycle.apply(id, trigger, { known });
  return ended?.state.terminationReason ?? null;
}
