import { randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import type { UnansweredCause } from "../../protocol/console/unanswered.ts";
import { ask } from "./queries.ts";
import type { Unit } from "./queries.ts";
import type { RecordedTurn } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The most entries of one conversation, and characters of one entry, that are kept. */
const maxEntries = 1_000;
const maxCharacters = 8_000;

/** The longest question without an answer that is kept for its own list, in characters. */
const questionMaxCharacters = 2_000;

type Row = Selectable<Tables["conversation"]>;

const keepsWords = (row: Row): boolean => row.expires_at_ms !== null;

function turnQueries(database: Kysely<Tables>) {
  return {
    entry: (
      sessionId: string,
      {
        atMs,
        role,
        text,
        answered,
      }: { atMs: number; role: "visitor" | "avatar"; text: string; answered: boolean },
    ) =>
      database
        .insertInto("conversation_entry")
        .values({
          session_id: sessionId,
          at_ms: atMs,
          role,
          text: text.slice(0, maxCharacters),
          answered: answered ? 1 : 0,
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

  return {
    *add(sessionId: string, turn: RecordedTurn): Unit<void> {
      const { question, answer, missing, atMs, answeredAtMs } = turn;
      const row = yield* count(sessionId, missing !== null);
      if (!row || !keepsWords(row) || row.questions * 2 > maxEntries) return;
      if (row.first_question === null) yield* ask(queries.setFirst(sessionId, question));
      yield* ask(queries.entry(sessionId, { atMs, role: "visitor", text: question, answered: true }));
      const said = { atMs: answeredAtMs, role: "avatar" as const, text: answer, answered: missing === null };
      if (answer !== "") yield* ask(queries.entry(sessionId, said));
      if (missing !== null) yield* ask(queries.missing(row, { atMs, cause: missing, text: question }));
    },
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
