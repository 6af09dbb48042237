import { sql, type Kysely } from "kysely";
import type { AttachmentStore } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The files that visitors have attached, in SQL. */
export function attachmentRows(database: Kysely<Tables>): AttachmentStore {
  return {
    async insert({ sessionId, ...attachment }) {
      await database
        .insertInto("attachment")
        .values({ ...attachment, session_id: sessionId })
        .execute();
    },
    async remove(id) {
      await database.deleteFrom("attachment").where("id", "=", id).execute();
    },
    async list(sessionId) {
      const rows = await database
        .selectFrom("attachment")
        .selectAll()
        .where("session_id", "=", sessionId)
        .execute();
      return rows.map(({ session_id, ...attachment }) => ({ ...attachment, sessionId: session_id }));
    },
    async bytesOf(organizationId) {
      const row = await database
        .selectFrom("attachment")
        .innerJoin("session", "session.id", "attachment.session_id")
        .select(sql<number>`cast(coalesce(sum(attachment.bytes), 0) as bigint)`.as("bytes"))
        // See below.
        .where("attachment.session_id", ">", "")
        .where("session.organization_id", "=", organizationId)
        .executeTakeFirst();
      return row?.bytes ?? 0;
    },
    async ofEndedSessions(limit) {
      const rows = await database
        .selectFrom("attachment")
        .innerJoin("session", "session.id", "attachment.session_id")
        .select("attachment.id")
        // Makes SQLite go through the index of this small table, not through all sessions.
        .where("attachment.session_id", ">", "")
        .where("session.status", "=", "TERMINATED")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
