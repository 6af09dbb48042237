import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";

/** A file that a visitor has attached to a question. */
export interface AttachmentRecord {
  /** Also its name in the file store, and in the count of files (`EventFileStore`). */
  id: string;
  sessionId: string;
  /** The file's name on the visitor's device. */
  name: string;
  /** The media type, as found in the content. */
  type: string;
  bytes: number;
}

/** The files that visitors have attached. Their bytes are in the file store. */
export interface AttachmentStore {
  insert(attachment: AttachmentRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** The files of a session. */
  list(sessionId: string): Promise<AttachmentRecord[]>;
  /** The bytes of all files of an organization. */
  bytesOf(organizationId: string): Promise<number>;
  /** Ids of some attachments that are left from sessions that have ended. */
  ofEndedSessions(limit: number): Promise<string[]>;
}

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
