import type { Kysely } from "kysely";
import { ask } from "./queries.ts";
import type { Queries, Unit } from "./queries.ts";
import type { ConversationStore } from "./store.ts";
import type { Tables } from "./tables.ts";

type Removals = Pick<ConversationStore, "setDeleted" | "restore" | "removeDeleted" | "removeExpiredWords">;

/** Marks conversations as deleted, and undoes that. */
function conversationMarks(database: Kysely<Tables>): Pick<Removals, "setDeleted" | "restore"> {
  return {
    async setDeleted(organizationId, sessionId, deletedAtMs) {
      const all = database
        .updateTable("conversation")
        .set({ deleted_at_ms: deletedAtMs })
        .where("organization_id", "=", organizationId)
        .where("deleted_at_ms", "is", null);
      const meant = sessionId === null ? all : all.where("session_id", "=", sessionId);
      return Number((await meant.executeTakeFirst()).numUpdatedRows);
    },
    async restore(organizationId, sessionId) {
      const all = database
        .updateTable("conversation")
        .set({ deleted_at_ms: null })
        .where("organization_id", "=", organizationId)
        .where("deleted_at_ms", "is not", null);
      const meant = sessionId === null ? all : all.where("session_id", "=", sessionId);
      return Number((await meant.executeTakeFirst()).numUpdatedRows);
    },
  };
}

/** Deletes conversations, and the words in them, for good. */
export function conversationRemovals(database: Kysely<Tables>, queries: Queries): Removals {
  /** Removes what was said. The details of events may hold a visitor's words too. */
  function* removeWords(sessionIds: readonly string[]): Unit<void> {
    yield* ask(database.deleteFrom("conversation_entry").where("session_id", "in", sessionIds).compile());
    yield* ask(database.deleteFrom("unanswered_question").where("session_id", "in", sessionIds).compile());
    yield* ask(
      database
        .updateTable("session_event")
        .set({ detail: null })
        .where("session_id", "in", sessionIds)
        .where("detail", "is not", null)
        .compile(),
    );
  }

  function* expiry(sessionIds: readonly string[]): Unit<void> {
    yield* removeWords(sessionIds);
    yield* ask(
      database
        .updateTable("conversation")
        .set({ first_question: null, expires_at_ms: null })
        .where("session_id", "in", sessionIds)
        .compile(),
    );
  }

  function* removal(sessionIds: readonly string[]): Unit<void> {
    yield* removeWords(sessionIds);
    yield* ask(database.deleteFrom("conversation").where("session_id", "in", sessionIds).compile());
  }

  const ids = (rows: readonly { session_id: string }[]) => rows.map((row) => row.session_id);

  return {
    ...conversationMarks(database),
    async removeDeleted(beforeMs, limit) {
      const rows = await database
        .selectFrom("conversation")
        .select("session_id")
        .where("deleted_at_ms", "<=", beforeMs)
        .limit(limit)
        .execute();
      if (rows.length > 0) await queries.unit(() => removal(ids(rows)));
      return rows.length;
    },
    async removeExpiredWords(nowMs, limit) {
      const rows = await database
        .selectFrom("conversation")
        .select("session_id")
        .where("expires_at_ms", "<=", nowMs)
        .limit(limit)
        .execute();
      if (rows.length > 0) await queries.unit(() => expiry(ids(rows)));
      return rows.length;
    },
  };
}
