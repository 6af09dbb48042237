import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import type { LineRole } from "../../../protocol/console/live.ts";
import type { UnansweredCause } from "../../../protocol/console/unanswered.ts";
import { ask, type Unit } from "../database/queries.ts";
import type { ConversationStore, RecordedTurn } from "./conversation-store.ts";
import type { Tables } from "../database/tables.ts";

/** The most entries of one conversation, and characters of one entry, that are kept. */
const maxEntries = 1_000;
const maxCharacters = 8_000;

/** The longest question without an answer that is kept for its own list, in characters. */
const questionMaxCharacters = 2_000;

type Row = Selectable<Tables["conversation"]>;

/** Whether words are kept; null: only while the conversation goes on and somebody of the organization may see it. */
const keepsWords = (row: Row): boolean => row.expires_at_ms !== null;

/** How long somebody counts as there after the last sign of their console, in ms. */
export const presenceLastsMs = 60_000;

function turnQueries(database: Kysely<Tables>) {
  return {
    entry: (
      sessionId: string,
      {
        atMs,
        role,
        text,
        answered,
        name = "",
      }: { atMs: number; role: LineRole; text: string; answered: boolean; name?: string },
    ) =>
      database
        .insertInto("conversation_entry")
        .values({
          session_id: sessionId,
          at_ms: atMs,
          role,
          text: text.slice(0, maxCharacters),
          answered: answered ? 1 : 0,
          name,
        })
        .compile(),
    missing: (row: Row, { atMs, cause, text }: { atMs: number; cause: UnansweredCause; text: string }) =>
      database
        .insertInto("unanswered_question")
        .values({
          id: randomUUID(),
          organization_id: row.organization_id,
          context_uuid: row.context_uuid,
          session_id: row.session_id,
          at_ms: atMs,
          cause,
          text: text.slice(0, questionMaxCharacters),
          settled_id: null,
        })
        .compile(),
    setFirst: (sessionId: string, question: string) =>
      database
        .updateTable("conversation")
        .set({ first_question: question.slice(0, maxCharacters) })
        .where("session_id", "=", sessionId)
        .compile(),
  };
}

/** The statement that makes a conversation one that people may take part in, if it is not yet. */
export function talkInsertion(database: Kysely<Tables>, sessionId: string) {
  return sql<never>`insert into live_talk
    (session_id, organization_id, state, misses, name, seen_at_ms, writing_until_ms, page, path, variables)
    select session_id, organization_id, 'avatar', 0, '', 0, 0, '', '', '{}' from conversation
    where session_id = ${sessionId} on conflict do nothing`.compile(database);
}

/** Whether words are stored now. Where they are not kept, they are as long as a person could join, until the conversation is over. */
function* storesWords(database: Kysely<Tables>, row: Row, atMs: number): Unit<boolean> {
  if (row.questions * 2 > maxEntries) return false;
  if (keepsWords(row)) return true;
  const { rows } = yield* ask<{ found: number }>(
    sql<{ found: number }>`select 1 as found from operator_presence
      where organization_id = ${row.organization_id} and until_ms > ${atMs}
        and seen_at_ms > ${atMs - presenceLastsMs}
      union all select 1 as found from live_talk
      where session_id = ${row.session_id} and state <> 'avatar'`.compile(database),
  );
  if (rows.length > 0) yield* ask(talkInsertion(database, row.session_id));
  return rows.length > 0;
}

/** The units that write what was said, and which questions had no answer. */
export function conversationTurns(database: Kysely<Tables>) {
  const queries = turnQueries(database);

  function* count(sessionId: string, isMissing: boolean): Unit<Row | undefined> {
    const { rows } = yield* ask<Row>(
      database
        .updateTable("conversation")
        .set((column) => ({
          questions: column("questions", "+", 1),
          unanswered: column("unanswered", "+", isMissing ? 1 : 0),
        }))
        .where("session_id", "=", sessionId)
        .returningAll()
        .compile(),
    );
    return rows[0];
  }

  function* question(row: Row, atMs: number, text: string): Unit<void> {
    if (keepsWords(row) && row.first_question === null) yield* ask(queries.setFirst(row.session_id, text));
    yield* ask(queries.entry(row.session_id, { atMs, role: "visitor", text, answered: true }));
  }

  return {
    *note(sessionId: string, { atMs, question: text }: Pick<RecordedTurn, "atMs" | "question">): Unit<void> {
      const [row] = (yield* ask<Row>(
        database.selectFrom("conversation").selectAll().where("session_id", "=", sessionId).compile(),
      )).rows;
      if (row && (yield* storesWords(database, row, atMs))) yield* question(row, atMs, text);
    },
    *add(sessionId: string, turn: RecordedTurn): Unit<void> {
      const { question: text, answer, missing, atMs, answeredAtMs, isNoted = false } = turn;
      const row = yield* count(sessionId, missing !== null);
      if (!row || !(yield* storesWords(database, row, atMs))) return;
      if (!isNoted) yield* question(row, atMs, text);
      const said = { atMs: answeredAtMs, role: "avatar" as const, text: answer, answered: missing === null };
      if (answer !== "") yield* ask(queries.entry(sessionId, said));
      if (missing !== null && keepsWords(row))
        yield* ask(queries.missing(row, { atMs, cause: missing, text }));
    },
  };
}

/** The unit that counts the last question as one that was not answered. */
export function unhelpfulTurn(database: Kysely<Tables>) {
  const queries = turnQueries(database);
  return {
    *addUnhelpful(sessionId: string, atMs: number): Unit<void> {
      const [row] = (yield* ask<Row>(
        database
          .updateTable("conversation")
          .set({ unanswered: 1 })
          .where("session_id", "=", sessionId)
          .where("unanswered", "=", 0)
          .where("questions", ">", 0)
          .returningAll()
          .compile(),
      )).rows;
      if (!row || !keepsWords(row)) return;
      const [last] = (yield* ask<{ text: string }>(
        database
          .selectFrom("conversation_entry")
          .select("text")
          .where("session_id", "=", sessionId)
          .where("role", "=", "visitor")
          .orderBy("sequence", "desc")
          .limit(1)
          .compile(),
      )).rows;
      if (last) yield* ask(queries.missing(row, { atMs, cause: "did_not_help", text: last.text }));
    },
  };
}

/** Places of one millisecond. The place orders conversations by their start, and is also the cursor of their list. */
export const placesPerMs = 1_000;

/** Every time zone's day begins at one of these. */
const quarterMs = 15 * 60_000;

/** The most values from which a median is computed. */
const maxTimes = 5_000;

/** Postgres answers sums and counts as texts. */
type Count = string | number;

/** Figures over many conversations. */
export function conversationFigures(
  database: Kysely<Tables>,
): Pick<ConversationStore, "figures" | "count" | "connectionTimes"> {
  return {
    async figures({ organizationId, contextUuid }, fromMs) {
      const quarter = sql<Count>`started_at_ms / ${sql.lit(quarterMs)}`;
      let query = database
        .selectFrom("conversation")
        .select((column) => [
          quarter.as("quarter"),
          column.fn.countAll<Count>().as("conversations"),
          column.fn.sum<Count>("questions").as("questions"),
          column.fn.sum<Count>("unanswered").as("unanswered"),
          column.fn.sum<Count>("duration_sec").as("talking_sec"),
          sql<Count>`sum(case when unanswered > 0 then 1 else 0 end)`.as("with_unanswered"),
        ])
        .where("organization_id", "=", organizationId)
        .where("sequence", ">=", fromMs * placesPerMs)
        .where("deleted_at_ms", "is", null);
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      const rows = await query.groupBy(quarter).execute();
      return rows.map((row) => ({
        atMs: Number(row.quarter) * quarterMs,
        conversations: Number(row.conversations),
        questions: Number(row.questions),
        unanswered: Number(row.unanswered),
        talkingSec: Number(row.talking_sec),
        withUnanswered: Number(row.with_unanswered),
      }));
    },
    async count(organizationId) {
      const row = await database
        .selectFrom("conversation")
        .select((column) => [
          column.fn.countAll<Count>().as("all"),
          sql<Count>`count(expires_at_ms)`.as("with_words"),
        ])
        .where("organization_id", "=", organizationId)
        .where("deleted_at_ms", "is", null)
        .executeTakeFirst();
      return { all: Number(row?.all ?? 0), withWords: Number(row?.with_words ?? 0) };
    },
    async connectionTimes({ organizationId, contextUuid }, fromMs) {
      let query = database
        .selectFrom("session")
        .innerJoin("session_detail", "session_detail.session_id", "session.id")
        .select(sql<Count>`in_progress_at_ms - created_at_ms`.as("ms"))
        .where("organization_id", "=", organizationId)
        .where("created_at_ms", ">=", fromMs)
        .where("in_progress_at_ms", "is not", null)
        // Conversations in writing have no picture.
        .where("session_detail.request", "like", '%"STF_WEBRTC"%');
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      return (await query.limit(maxTimes).execute()).map(({ ms }) => Number(ms));
    },
  };
}
