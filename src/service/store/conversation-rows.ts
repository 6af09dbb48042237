import type { ConversationEnding } from "../../protocol/console/conversations.ts";
import type { TerminationReason } from "../../protocol/session.ts";
import { sql, type Kysely, type Selectable } from "kysely";
import { conversationRemovals } from "./conversation-removals.ts";
import { inPage, pageOf } from "./page-rows.ts";
import { conversationFigures, placesPerMs } from "./conversation-figures.ts";
import { conversationTurns } from "./conversation-turns.ts";
import type { Queries } from "./queries.ts";
import type { ConversationFilter, ConversationRecord, ConversationStore } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The group of each reason. */
const endings: Readonly<Record<TerminationReason, ConversationEnding>> = {
  GRACEFUL_TERMINATION: "visitor",
  SESSION_LOST_AFTER_CONNECTION: "connection_lost",
  SESSION_EXPIRED_BEFORE_CONNECTION: "connection_lost",
  SESSION_MISC_ERROR: "error",
  MAX_ACTIVE_SESSION_QUOTA_EXCEEDED: "limit",
  MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: "limit",
  TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: "limit",
  INSUFFICIENT_CREDITS: "limit",
};

function toRecord(row: Selectable<Tables["conversation"]>): ConversationRecord {
  return {
    sessionId: row.session_id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
    durationSec: row.duration_sec,
    terminationReason: row.termination_reason,
    questions: row.questions,
    unanswered: row.unanswered,
    helped: row.helped === null ? null : row.helped === 1,
    firstQuestion: row.first_question,
    expiresAtMs: row.expires_at_ms,
  };
}

function conversationReads(
  database: Kysely<Tables>,
): Pick<ConversationStore, "byId" | "entries" | "page" | "keepsWords"> {
  const present = (organizationId: string) =>
    database
      .selectFrom("conversation")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("deleted_at_ms", "is", null);

  function filtered(organizationId: string, filter: ConversationFilter) {
    const { contextUuid, fromMs, toMs, ended, didNotHelp, unanswered } = filter;
    let query = present(organizationId);
    if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
    // Sorted by place and not by time, so that one index finds and sorts them.
    if (fromMs !== undefined) query = query.where("sequence", ">=", fromMs * placesPerMs);
    if (toMs !== undefined) query = query.where("sequence", "<", toMs * placesPerMs);
    if (ended !== undefined) query = query.where("ending", "=", ended);
    // Constants, so that the indexes of only those rows are used.
    if (didNotHelp) query = query.where(sql<boolean>`helped = 0`);
    if (unanswered) query = query.where(sql<boolean>`unanswered > 0`);
    return query;
  }

  return {
    async byId(organizationId, sessionId) {
      const row = await present(organizationId).where("session_id", "=", sessionId).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async keepsWords(sessionId) {
      const row = await database
        .selectFrom("conversation")
        .select("expires_at_ms")
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row !== undefined && row.expires_at_ms !== null;
    },
    async entries(sessionId) {
      const rows = await database
        .selectFrom("conversation_entry")
        .selectAll()
        .where("session_id", "=", sessionId)
        .orderBy("sequence")
        .execute();
      return rows.map((row) => ({
        atMs: row.at_ms,
        role: row.role,
        text: row.text,
        answered: row.answered === 1,
      }));
    },
    async page(organizationId, filter, request) {
      const rows = await inPage(filtered(organizationId, filter), request, "newest first").execute();
      return pageOf(rows, request, toRecord);
    },
  };
}

async function isKnown(database: Kysely<Tables>, sessionId: string): Promise<boolean> {
  const known = database.selectFrom("conversation").select("sequence").where("session_id", "=", sessionId);
  return (await known.executeTakeFirst()) !== undefined;
}

function conversationChanges(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<ConversationStore, "begin" | "end" | "addTurn" | "setHelped" | "addUnhelpful"> {
  const turns = conversationTurns(database);
  return {
    async begin({ sessionId, organizationId, contextUuid, startedAtMs, expiresAtMs }) {
      // Another conversation of the same millisecond may have the place. Then the next free one is taken.
      for (let attempt = 0; attempt < placesPerMs; attempt += 1) {
        const place = startedAtMs * placesPerMs + attempt;
        const { numInsertedOrUpdatedRows } = await database
          .insertInto("conversation")
          .values({
            sequence: place,
            session_id: sessionId,
            organization_id: organizationId,
            context_uuid: contextUuid,
            started_at_ms: startedAtMs,
            ended_at_ms: null,
            duration_sec: 0,
            termination_reason: null,
            ending: null,
            questions: 0,
            unanswered: 0,
            helped: null,
            first_question: null,
            expires_at_ms: expiresAtMs,
            deleted_at_ms: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 1n) return;
        if (await isKnown(database, sessionId)) return;
      }
    },
    async end(sessionId, { endedAtMs, durationSec, terminationReason }) {
      await database
        .updateTable("conversation")
        .set({
          ended_at_ms: endedAtMs,
          duration_sec: durationSec,
          termination_reason: terminationReason,
          ending: terminationReason && endings[terminationReason],
        })
        .where("session_id", "=", sessionId)
        .execute();
    },
    addTurn: (sessionId, turn) => queries.unit(() => turns.add(sessionId, turn)),
    addUnhelpful: (sessionId, atMs) => queries.unit(() => turns.addUnhelpful(sessionId, atMs)),
    async setHelped(sessionId, helped) {
      await database
        .updateTable("conversation")
        .set({ helped: helped ? 1 : 0 })
        .where("session_id", "=", sessionId)
        .execute();
    },
  };
}

/** Conversations in SQL. */
export function conversationRows(database: Kysely<Tables>, queries: Queries): ConversationStore {
  return {
    ...conversationReads(database),
    ...conversationFigures(database),
    ...conversationChanges(database, queries),
    ...conversationRemovals(database, queries),
  };
}
