import type { Kysely, Selectable } from "kysely";
import { compiledOnce } from "./compiled-once.ts";
import { inPage, pageOf } from "./page-rows.ts";
import type { Queries, Query } from "./queries.ts";
import type { EventRecord, EventStore, PageRequest } from "./store.ts";
import type { Tables } from "./tables.ts";

type EventColumns = Omit<Selectable<Tables["session_event"]>, "sequence">;

/** The statement that inserts an event. */
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

function toRecord(row: Selectable<Tables["session_event"]>): EventRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    kind: row.kind,
    detail: row.detail,
    file: row.file,
    createdAtMs: row.created_at_ms,
    terminateReason: row.terminate_reason,
  };
}

/** Reported events in SQL. */
export function eventRows(database: Kysely<Tables>, queries: Queries): EventStore {
  const insert = eventInsertion(database);
  const ofSession = (sessionId: string) =>
    database.selectFrom("session_event").selectAll().where("session_id", "=", sessionId);
  async function page(sessionId: string, request: PageRequest) {
    return pageOf(await inPage(ofSession(sessionId), request).execute(), request, toRecord);
  }
  return {
    async insert(event) {
      await queries.run(insert(event));
    },
    async byId(sessionId, eventId) {
      const row = await ofSession(sessionId).where("id", "=", eventId).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    list: async (sessionId) => (await page(sessionId, {})).items,
    page,
  };
}
