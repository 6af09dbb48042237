import type { Kysely, Selectable } from "kysely";
import type { EventTerminateReason, SessionEventKind } from "../../protocol/session-event.ts";
import { compiledOnce } from "./compiled-once.ts";
import type { Queries, Query } from "./queries.ts";
import type { EventRecord, Store } from "./store.ts";
import type { Tables } from "./tables.ts";

type EventColumns = Omit<Selectable<Tables["session_event"]>, "sequence">;

/** How events are stored in a database. */
export function eventInsertion(database: Kysely<Tables>): (event: EventRecord) => Query<unknown> {
  const insert = compiledOnce<EventColumns, unknown>((parameter) =>
    database.insertInto("session_event").values({
      id: parameter("id"),
      session_id: parameter("session_id"),
      kind: parameter("kind"),
      detail: parameter("detail"),
      file: parameter("file"),
      created_at_ms: parameter("created_at_ms"),
      terminate_reason: parameter("terminate_reason"),
    }),
  );
  return (event) =>
    insert({
      id: event.id,
      session_id: event.sessionId,
      kind: event.kind,
      detail: event.detail,
      file: event.file,
      created_at_ms: event.createdAtMs,
      terminate_reason: event.terminateReason,
    });
}

/** Reported events in SQL. */
export function eventRows(database: Kysely<Tables>, queries: Queries): Store["events"] {
  const insert = eventInsertion(database);
  return {
    async insert(event) {
      await queries.run(insert(event));
    },
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
