import { type Kysely, type Selectable, sql } from "kysely";
import { ask, type Queries, type Unit } from "../database/queries.ts";
import type { ConversationFilter, ConversationRecord, ConversationStore } from "./conversation-store.ts";
import type { Tables } from "../database/tables.ts";
import type { ConversationEnding } from "../../../protocol/console/conversations.ts";
import type { TerminationReason } from "../../../protocol/session/session.ts";
import { inPage, type Page, pageOf, type PageRequest } from "../database/paging.ts";
import { conversationFigures, conversationTurns, placesPerMs, unhelpfulTurn } from "./conversation-turns.ts";

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

/** Removes what was said. The details of events, and what is sent to webhooks, may hold a visitor's words too. */
function* wordRemoval(database: Kysely<Tables>, sessionIds: readonly string[]): Unit<void> {
  yield* ask(database.deleteFrom("conversation_entry").where("session_id", "in", sessionIds).compile());
  yield* ask(database.deleteFrom("unanswered_question").where("session_id", "in", sessionIds).compile());
  yield* ask(
    database
      .updateTable("live_talk")
      .set({ page: "", path: "", variables: "{}" })
      .where("session_id", "in", sessionIds)
      .compile(),
  );
  yield* ask(
    database
      .updateTable("webhook_delivery")
      .set({ words: null })
      .where("session_id", "in", sessionIds)
      .where("words", "is not", null)
      .compile(),
  );
  yield* ask(
    database
      .updateTable("session_event")
      .set({ detail: null })
      .where("session_id", "in", sessionIds)
      .where("detail", "is not", null)
      .compile(),
  );
}

/** Deletes conversations, and the words in them, for good. */
function conversationRemovals(database: Kysely<Tables>, queries: Queries): Removals {
  function* expiry(sessionIds: readonly string[]): Unit<void> {
    yield* wordRemoval(database, sessionIds);
    yield* ask(
      database
        .updateTable("conversation")
        .set({ first_question: null, expires_at_ms: null })
        .where("session_id", "in", sessionIds)
        .compile(),
    );
  }

  function* removal(sessionIds: readonly string[]): Unit<void> {
    yield* wordRemoval(database, sessionIds);
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

type ConversationRow = Selectable<Tables["conversation"]>;

/** How many conversations a search looks at with one statement, and with one request: others are served in between. */
const searchedAtOnce = 500;
const searchedInAll = 5_000;

/** Reads conversations step by step until a page is full of those that `matching` finds, or enough of them were looked at. */
async function searchedPage(
  read: (part: PageRequest) => Promise<ConversationRow[]>,
  matching: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>,
  { after: begin, limit = Infinity }: PageRequest,
): Promise<Page<ConversationRecord>> {
  const items: ConversationRecord[] = [];
  let after = begin;
  for (let looked = 0; looked < searchedInAll; looked += searchedAtOnce) {
    const rows = await read({ after, limit: searchedAtOnce });
    const found = await matching(rows.map(({ session_id }) => session_id));
    for (const [place, row] of rows.slice(0, searchedAtOnce).entries()) {
      after = row.sequence;
      if (found.has(row.session_id)) items.push(toRecord(row));
      if (items.length >= limit) return { items, next: place + 1 < rows.length ? after : null };
    }
    if (rows.length <= searchedAtOnce) return { items, next: null };
  }
  return { items, next: after ?? null };
}

/** SQLite folds the case of ASCII letters only, so a word is also looked for as it begins a sentence. */
function spellings(word: string): string[] {
  const small = word.toLowerCase();
  return [small, small.charAt(0).toUpperCase() + small.slice(1)];
}

/** Those conversations in which all of the words were said. */
async function sayingAll(
  database: Kysely<Tables>,
  sessionIds: readonly string[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set();
  const isSaid = (word: string) => {
    const patterns = spellings(word).map((one) => `%${one.replace(/[\\%_]/g, "\\$&")}%`);
    const cases = patterns.map((pattern) => sql`lower(text) like ${pattern} escape '\\'`);
    return sql<boolean>`max(case when ${sql.join(cases, sql` or `)} then 1 else 0 end) = 1`;
  };
  let query = database
    .selectFrom("conversation_entry")
    .select("session_id")
    .where("session_id", "in", sessionIds)
    .groupBy("session_id");
  for (const word of words) query = query.having(isSaid(word));
  return new Set((await query.execute()).map((row) => row.session_id));
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
        name: row.name,
      }));
    },
    async page(organizationId, filter, request) {
      const { words = [] } = filter;
      const read = (part: PageRequest) =>
        inPage(filtered(organizationId, filter), part, "newest first").execute();
      if (words.length > 0) return searchedPage(read, (ids) => sayingAll(database, ids, words), request);
      return pageOf(await read(request), request, toRecord);
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
): Pick<ConversationStore, "begin" | "end" | "addQuestion" | "addTurn" | "setHelped" | "addUnhelpful"> {
  const turns = conversationTurns(database);
  const unhelpful = unhelpfulTurn(database);
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
    addQuestion: (sessionId, asked) => queries.unit(() => turns.note(sessionId, asked)),
    addTurn: (sessionId, turn) => queries.unit(() => turns.add(sessionId, turn)),
    addUnhelpful: (sessionId, atMs) => queries.unit(() => unhelpful.addUnhelpful(sessionId, atMs)),
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
