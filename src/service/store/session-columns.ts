import type { Selectable } from "kysely";
import type { SessionRecord } from "./store.ts";
import type { Tables } from "./tables.ts";

/** A session from its row. */
export function toSession(row: Selectable<Tables["session"]>): SessionRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    revision: row.revision,
    deadlineAtMs: row.deadline_at_ms,
    state: {
      status: row.status,
      terminationReason: row.termination_reason,
      createdAtMs: row.created_at_ms,
      inProgressAtMs: row.in_progress_at_ms,
      lastSeenAtMs: row.last_seen_at_ms,
      endedAtMs: row.ended_at_ms,
      maxSessionSec: row.max_session_sec,
      boughtMin: row.bought_min,
      peerClosedAtMs: row.peer_closed_at_ms,
      leavingAtMs: row.leaving_at_ms,
      holdsPlace: row.holds_place === 1,
    },
  };
}

/** The columns that change during a session. */
export function changingColumns({ revision, state, deadlineAtMs }: SessionRecord) {
  return {
    revision,
    status: state.status,
    termination_reason: state.terminationReason,
    in_progress_at_ms: state.inProgressAtMs,
    last_seen_at_ms: state.lastSeenAtMs,
    ended_at_ms: state.endedAtMs,
    bought_min: state.boughtMin,
    peer_closed_at_ms: state.peerClosedAtMs,
    leaving_at_ms: state.leavingAtMs,
    holds_place: state.holdsPlace ? 1 : 0,
    deadline_at_ms: deadlineAtMs,
  };
}

/** A session's changing columns. */
export type ChangingColumns = ReturnType<typeof changingColumns>;
