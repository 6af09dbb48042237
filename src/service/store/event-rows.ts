import type { Kysely } from "kysely";
import type { EventTerminateReason, SessionEventKind } from "../../protocol/session-event.ts";
import type { EventRecord, Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Stores an event, alone or in a transaction with what it did. */
export async function insertEvent(database: Kysely<Tables>, event: EventRecord): Promise<void> {
  await database
    .insertInto("session_event")
    .values({
      id: event.id,
      session_id: event.sessionId,
      kind: event.kind,
      detail: event.detail,
      file: event.file,
      created_at_ms: event.createdAtMs,
      terminate_reason: event.terminateReason,
    })
    .execute();
}

/** Reported events in SQL. */
export function eventRows(database: Kysely<Tables>): Store["events"] {
  return {
    insert: (event) => insertEvent(database, event),
    async list(sessionId) {
      const rows = await database
        .selectFrom("session_event")
        .selectAll()
        .where("session_id", "=", sessionId)
        .orderBy("sequence")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        sessionId: row.session_id,
        kind: row.kind as SessionEventKind,
        detail: row.detail,
        file: row.file,
        createdAtMs: row.created_at_ms,
        terminateReason: row.terminate_reason as EventTerminateReason | null,
      }));
    },
  };
}
