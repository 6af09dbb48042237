import { type Kysely, sql } from "kysely";
import type { LineRole } from "../../../../protocol/console/live.ts";
import { ask, type Queries, type Unit } from "../../database/queries.ts";
import type { Tables } from "../../database/tables.ts";
import { placesPerMs, talkInsertion } from "../conversation-turns.ts";
import { peopleRows } from "./live-people.ts";
import type { ListedTalk, LiveStore, TalkRecord } from "./live-store.ts";

type Row = Tables["live_talk"];

function texts(json: string): Record<string, string> {
  const read: unknown = JSON.parse(json);
  return Object.fromEntries(Object.entries(read ?? {}).map(([name, value]) => [name, String(value)]));
}

const toTalk = (row: Row): TalkRecord => ({
  sessionId: row.session_id,
  organizationId: row.organization_id,
  state: row.state,
  need: row.need,
  sinceMs: row.since_ms,
  accountId: row.account_id,
  name: row.name,
  seenAtMs: row.seen_at_ms,
  writingUntilMs: row.writing_until_ms,
  page: row.page,
  path: row.path,
  variables: texts(row.variables),
});

/** The longest conversation that is still looked for in the list, in ms. */
const longestMs = 24 * 60 * 60_000;

/** The most conversations of a list. */
const listLimit = 300;

/** The most lines that are read at once: the last ones. */
const linesLimit = 500;

interface Listed extends Partial<Row> {
  session_id: string;
  organization_id: string;
  context_uuid: string;
  started_at_ms: number;
  ended_at_ms: number | null;
  last_role: LineRole | null;
  last_text: string | null;
}

const toListed = (row: Listed): ListedTalk => ({
  sessionId: row.session_id,
  organizationId: row.organization_id,
  contextUuid: row.context_uuid,
  startedAtMs: row.started_at_ms,
  endedAtMs: row.ended_at_ms,
  state: row.state ?? "avatar",
  need: row.need ?? null,
  sinceMs: row.since_ms ?? null,
  accountId: row.account_id ?? null,
  name: row.name ?? "",
  seenAtMs: row.seen_at_ms ?? 0,
  writingUntilMs: row.writing_until_ms ?? 0,
  page: row.page ?? "",
  path: row.path ?? "",
  last: row.last_role && { role: row.last_role, text: row.last_text ?? "" },
});

function talkReads(database: Kysely<Tables>): Pick<LiveStore, "talk" | "lines" | "waiting"> {
  return {
    async talk(sessionId) {
      const row = await database
        .selectFrom("live_talk")
        .selectAll()
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row ? toTalk(row) : null;
    },
    async lines(sessionId, after) {
      const rows = await database
        .selectFrom("conversation_entry")
        .selectAll()
        .where("session_id", "=", sessionId)
        .where("sequence", ">", after)
        .orderBy("sequence", "desc")
        .limit(linesLimit)
        .execute();
      return rows.reverse().map((row) => ({
        id: row.sequence,
        atMs: row.at_ms,
        role: row.role,
        name: row.name,
        text: row.text,
        answered: row.answered === 1,
      }));
    },
    async waiting(organizationId) {
      const rows = await database
        .selectFrom("live_talk")
        .innerJoin("conversation", "conversation.session_id", "live_talk.session_id")
        .select("live_talk.session_id")
        .where("live_talk.organization_id", "=", organizationId)
        .where("state", "=", "waiting")
        .where("ended_at_ms", "is", null)
        .orderBy("since_ms")
        .orderBy("live_talk.session_id")
        .execute();
      return rows.map((row) => row.session_id);
    },
  };
}

function talkList(database: Kysely<Tables>): Pick<LiveStore, "list"> {
  const list = (organizationId: string, condition: ReturnType<typeof sql>) =>
    sql<Listed>`select c.session_id, c.organization_id, c.context_uuid, c.started_at_ms, c.ended_at_ms,
      t.state, t.need, t.since_ms, t.account_id, t.name, t.seen_at_ms, t.writing_until_ms, t.page, t.path,
      (select role from conversation_entry e where e.session_id = c.session_id and e.role <> 'note'
        order by sequence desc limit 1) as last_role,
      (select text from conversation_entry e where e.session_id = c.session_id and e.role <> 'note'
        order by sequence desc limit 1) as last_text
      from conversation c left join live_talk t on t.session_id = c.session_id
      where c.organization_id = ${organizationId} and c.deleted_at_ms is null and ${condition}
      order by c.sequence desc limit ${listLimit}`.execute(database);
  return {
    async list(organizationId, nowMs, endedSinceMs) {
      const since = (nowMs - longestMs) * placesPerMs;
      const { rows: open } = await list(
        organizationId,
        sql`c.ending is null and c.ended_at_ms is null and c.sequence > ${since}`,
      );
      const { rows: over } = await list(
        organizationId,
        sql`c.ended_at_ms >= ${endedSinceMs} and c.sequence > ${since}`,
      );
      return [...open, ...over].map(toListed);
    },
  };
}

function talkNotes(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<LiveStore, "addLine" | "setWanted" | "countMiss" | "describe"> {
  const ensure = (sessionId: string) => queries.run(talkInsertion(database, sessionId));
  const change = (sessionId: string) => database.updateTable("live_talk").where("session_id", "=", sessionId);
  return {
    async addLine(sessionId, { atMs, role, name, text, answered }) {
      await ensure(sessionId);
      await database
        .insertInto("conversation_entry")
        .values({ session_id: sessionId, at_ms: atMs, role, name, text, answered: answered ? 1 : 0 })
        .execute();
    },
    async setWanted(sessionId, isWanted, nowMs) {
      await ensure(sessionId);
      const { numUpdatedRows } = await (
        isWanted
          ? change(sessionId)
              .set({ state: "waiting", need: "asked", since_ms: nowMs })
              .where("state", "=", "avatar")
          : change(sessionId)
              .set({ state: "avatar", need: null, since_ms: null })
              .where("state", "=", "waiting")
      ).executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async countMiss(sessionId, isMiss, nowMs) {
      if (!isMiss) {
        await change(sessionId)
          .set({ misses: 0, need: sql`case when state = 'avatar' then null else need end` })
          .where("misses", ">", 0)
          .execute();
        return;
      }
      await ensure(sessionId);
      await change(sessionId)
        .set({ misses: sql`misses + 1` })
        .execute();
      await change(sessionId)
        .set({ need: "not_found", since_ms: nowMs })
        .where("misses", ">=", 2)
        .where("state", "=", "avatar")
        .where("need", "is", null)
        .execute();
    },
    async describe(sessionId, { page, path, variables }) {
      const told = {
        ...(page !== undefined && { page }),
        ...(path !== undefined && { path }),
        ...(variables !== undefined && { variables: JSON.stringify(variables) }),
      };
      if (page !== undefined) await ensure(sessionId);
      await change(sessionId).set(told).execute();
    },
  };
}

function talkClaims(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<LiveStore, "claim" | "release" | "setWriting"> {
  const ensure = (sessionId: string) => queries.run(talkInsertion(database, sessionId));
  const change = (sessionId: string) => database.updateTable("live_talk").where("session_id", "=", sessionId);
  return {
    async claim(sessionId, { accountId, name, nowMs, from }) {
      await ensure(sessionId);
      const { numUpdatedRows } = await change(sessionId)
        .set({
          ...{ state: "person", need: null, misses: 0, account_id: accountId, name },
          ...{ since_ms: nowMs, seen_at_ms: nowMs, writing_until_ms: 0 },
        })
        .where(
          sql<boolean>`(account_id is null or account_id = ${from ?? accountId}) and exists (
            select 1 from conversation c where c.session_id = live_talk.session_id and c.ended_at_ms is null
          )`,
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async release(sessionId, accountId) {
      const { numUpdatedRows } = await change(sessionId)
        .set({
          ...{ state: "avatar", need: null, account_id: null, name: "" },
          ...{ since_ms: null, writing_until_ms: 0 },
        })
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async setWriting(sessionId, accountId, untilMs) {
      const { numUpdatedRows } = await change(sessionId)
        .set({ writing_until_ms: untilMs })
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

function talkRemoval(database: Kysely<Tables>, queries: Queries): Pick<LiveStore, "removeOver"> {
  function* removal(sessionIds: readonly string[]): Unit<void> {
    yield* ask(
      sql<never>`delete from conversation_entry where session_id in (${sql.join(sessionIds)}) and exists (
        select 1 from conversation c where c.session_id = conversation_entry.session_id and c.expires_at_ms is null
      )`.compile(database),
    );
    yield* ask(database.deleteFrom("live_talk").where("session_id", "in", sessionIds).compile());
  }
  return {
    async removeOver(endedBeforeMs, limit) {
      const rows = await database
        .selectFrom("live_talk")
        .innerJoin("conversation", "conversation.session_id", "live_talk.session_id")
        .select("live_talk.session_id")
        .where("ended_at_ms", "<=", endedBeforeMs)
        .limit(limit)
        .execute();
      const ids = rows.map((row) => row.session_id);
      if (ids.length > 0) await queries.unit(() => removal(ids));
      return ids.length;
    },
  };
}

/** Conversations that people take part in, in SQL. */
export function liveRows(database: Kysely<Tables>, queries: Queries): LiveStore {
  return {
    ...talkReads(database),
    ...talkList(database),
    ...talkNotes(database, queries),
    ...talkClaims(database, queries),
    ...talkRemoval(database, queries),
    ...peopleRows(database),
  };
}
