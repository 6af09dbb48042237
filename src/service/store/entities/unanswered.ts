import type { UnansweredCause } from "../../../protocol/console/unanswered.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import { ask, type Queries, type Unit } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

/** A question that had no answer, in a visitor's words. It is removed with the words of its conversation. */
export interface UnansweredQuestion {
  id: string;
  contextUuid: string;
  atMs: number;
  cause: UnansweredCause;
  text: string;
  /** Whether it was taught or hidden; null: neither yet. */
  settledId: string | null;
}

/** How questions that mean the same were settled: taught or hidden. */
export interface SettledQuestion {
  id: string;
  organizationId: string;
  contextUuid: string;
  state: "taught" | "hidden";
  /** One of its wordings. */
  question: string;
  answer: string | null;
  /** The document that has the answer, and the text that was added to it. */
  documentId: string | null;
  block: string | null;
  asked: number;
  lastAskedAtMs: number;
  settledAtMs: number;
}

/** Which questions are meant: all of an organization, or those of one context. */
export interface UnansweredScope {
  organizationId: string;
  contextUuid?: string | undefined;
}

/** Questions that had no answer. */
export interface UnansweredStore {
  /** The latest first. */
  list(scope: UnansweredScope, limit: number): Promise<UnansweredQuestion[]>;
  /** How many there were in conversations whose words are not kept. */
  countWithoutWords(scope: UnansweredScope): Promise<number>;
  /** The latest first. */
  settled(scope: UnansweredScope): Promise<SettledQuestion[]>;
  settledById(organizationId: string, id: string): Promise<SettledQuestion | null>;
  /** Settles questions that nobody has settled yet. */
  settle(settled: SettledQuestion, questionIds: readonly string[]): Promise<void>;
  /** Undoes that. */
  unsettle(organizationId: string, id: string): Promise<void>;
}

function toSettled(row: Selectable<Tables["settled_question"]>): SettledQuestion {
  return {
    id: row.id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    state: row.state,
    question: row.question,
    answer: row.answer,
    documentId: row.document_id,
    block: row.block,
    asked: row.asked,
    lastAskedAtMs: row.last_asked_at_ms,
    settledAtMs: row.settled_at_ms,
  };
}

function unansweredReads(
  database: Kysely<Tables>,
): Pick<UnansweredStore, "list" | "countWithoutWords" | "settled" | "settledById"> {
  return {
    async list({ organizationId, contextUuid }, limit) {
      const all = database
        .selectFrom("unanswered_question")
        .innerJoin("conversation", "conversation.session_id", "unanswered_question.session_id")
        .selectAll("unanswered_question")
        .where("unanswered_question.organization_id", "=", organizationId)
        .where("conversation.deleted_at_ms", "is", null);
      const meant =
        contextUuid === undefined ? all : all.where("unanswered_question.context_uuid", "=", contextUuid);
      const rows = await meant.orderBy("unanswered_question.sequence", "desc").limit(limit).execute();
      return rows.map((row) => ({
        id: row.id,
        contextUuid: row.context_uuid,
        atMs: row.at_ms,
        cause: row.cause,
        text: row.text,
        settledId: row.settled_id,
      }));
    },
    async countWithoutWords({ organizationId, contextUuid }: UnansweredScope) {
      const all = database
        .selectFrom("conversation")
        .select((column) => column.fn.sum<string | number | null>("unanswered").as("count"))
        .where("organization_id", "=", organizationId)
        .where("expires_at_ms", "is", null)
        // A constant, so that the index of only those rows is used.
        .where(sql<boolean>`unanswered > 0`);
      const meant = contextUuid === undefined ? all : all.where("context_uuid", "=", contextUuid);
      return Number((await meant.executeTakeFirst())?.count ?? 0);
    },
    async settled({ organizationId, contextUuid }) {
      const all = database
        .selectFrom("settled_question")
        .selectAll()
        .where("organization_id", "=", organizationId);
      const meant = contextUuid === undefined ? all : all.where("context_uuid", "=", contextUuid);
      return (await meant.orderBy("settled_at_ms", "desc").execute()).map(toSettled);
    },
    async settledById(organizationId, id) {
      const row = await database
        .selectFrom("settled_question")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row ? toSettled(row) : null;
    },
  };
}

function unansweredUnits(database: Kysely<Tables>) {
  return {
    *settle(settled: SettledQuestion, questionIds: readonly string[]): Unit<void> {
      yield* ask(
        database
          .insertInto("settled_question")
          .values({
            id: settled.id,
            organization_id: settled.organizationId,
            context_uuid: settled.contextUuid,
            state: settled.state,
            question: settled.question,
            answer: settled.answer,
            document_id: settled.documentId,
            block: settled.block,
            asked: settled.asked,
            last_asked_at_ms: settled.lastAskedAtMs,
            settled_at_ms: settled.settledAtMs,
          })
          .compile(),
      );
      yield* ask(
        database
          .updateTable("unanswered_question")
          .set({ settled_id: settled.id })
          .where("organization_id", "=", settled.organizationId)
          .where("settled_id", "is", null)
          .where("id", "in", questionIds)
          .compile(),
      );
    },
    *unsettle(organizationId: string, id: string): Unit<void> {
      yield* ask(
        database
          .updateTable("unanswered_question")
          .set({ settled_id: null })
          .where("organization_id", "=", organizationId)
          .where("settled_id", "=", id)
          .compile(),
      );
      yield* ask(
        database
          .deleteFrom("settled_question")
          .where("organization_id", "=", organizationId)
          .where("id", "=", id)
          .compile(),
      );
    },
  };
}

/** Questions that had no answer, in SQL. */
export function unansweredRows(database: Kysely<Tables>, queries: Queries): UnansweredStore {
  const units = unansweredUnits(database);
  return {
    ...unansweredReads(database),
    settle: (settled, questionIds) => queries.unit(() => units.settle(settled, questionIds)),
    unsettle: (organizationId, id) => queries.unit(() => units.unsettle(organizationId, id)),
  };
}
