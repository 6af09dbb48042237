import type { ExpressionBuilder, Insertable, Kysely, Selectable } from "kysely";
import type { WebsiteRecord, WebsiteStore } from "./store.ts";
import { storedJson } from "./stored-json.ts";
import type { Tables } from "./tables.ts";

function toRecord(row: Selectable<Tables["website"]>): WebsiteRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    address: row.address,
    every: row.every,
    contexts: storedJson(row.contexts),
    state: row.state,
    problem: row.problem,
    report: storedJson(row.report),
    hasDocument: row.has_document === 1,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    finishedAtMs: row.finished_at_ms,
    nextAtMs: row.next_at_ms,
  };
}

const nobody = { run: null, taken_until_ms: null } as const;

const toRow = (website: WebsiteRecord): Insertable<Tables["website"]> => ({
  id: website.id,
  organization_id: website.organizationId,
  address: website.address,
  every: website.every,
  contexts: JSON.stringify(website.contexts),
  state: website.state,
  problem: website.problem,
  report: JSON.stringify(website.report),
  has_document: website.hasDocument ? 1 : 0,
  created_at_ms: website.createdAtMs,
  started_at_ms: website.startedAtMs,
  finished_at_ms: website.finishedAtMs,
  next_at_ms: website.nextAtMs,
  ...nobody,
});

/** What operators do with websites. */
function operatorRows(
  database: Kysely<Tables>,
): Pick<WebsiteStore, "insert" | "list" | "find" | "remove" | "schedule" | "order" | "stop"> {
  const ofOrganization = (organizationId: string) =>
    database.selectFrom("website").selectAll().where("organization_id", "=", organizationId);
  const changeOne = (organizationId: string, id: string) =>
    database.updateTable("website").where("organization_id", "=", organizationId).where("id", "=", id);
  return {
    async insert(website) {
      await database.insertInto("website").values(toRow(website)).execute();
    },
    async list(organizationId) {
      return (await ofOrganization(organizationId).orderBy("sequence").execute()).map(toRecord);
    },
    async find(organizationId, id) {
      const row = await ofOrganization(organizationId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async remove(id) {
      const rows = await database.deleteFrom("website").where("id", "=", id).returning("id").execute();
      return rows.length > 0;
    },
    async schedule(organizationId, id, { every, nextAtMs }) {
      const rows = await changeOne(organizationId, id)
        .set({ every, next_at_ms: nextAtMs })
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async order(organizationId, id, nowMs) {
      const rows = await changeOne(organizationId, id)
        .where("state", "not in", ["waiting", "reading"])
        .set({ state: "waiting", next_at_ms: nowMs })
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async stop(organizationId, id, nextAtMs) {
      const rows = await changeOne(organizationId, id)
        .where("state", "in", ["waiting", "reading"])
        .set({ state: "stopped", next_at_ms: nextAtMs, ...nobody })
        .returning("id")
        .execute();
      return rows.length > 0;
    },
  };
}

/** Whether nobody reads a website. */
const isFree =
  (nowMs: number) =>
  ({ or, eb }: ExpressionBuilder<Tables, "website">) =>
    or([eb("taken_until_ms", "is", null), eb("taken_until_ms", "<", nowMs)]);

/** What readers of websites do. */
function readerRows(database: Kysely<Tables>): Pick<WebsiteStore, "take" | "progress" | "finish"> {
  return {
    async take(run, nowMs, untilMs) {
      for (;;) {
        const next = await database
          .selectFrom("website")
          .select("id")
          .where("next_at_ms", "<=", nowMs)
          .where(isFree(nowMs))
          .orderBy("next_at_ms")
          .limit(1)
          .executeTakeFirst();
        if (!next) return null;
        const rows = await database
          .updateTable("website")
          .set({ state: "reading", run, taken_until_ms: untilMs, started_at_ms: nowMs })
          .where("id", "=", next.id)
          // Another process may have taken it meanwhile. The row itself is asked again, not a copy from before.
          .where("next_at_ms", "<=", nowMs)
          .where(isFree(nowMs))
          .returningAll()
          .execute();
        if (rows[0]) return toRecord(rows[0]);
      }
    },
    async progress({ id, run }, report, untilMs) {
      const rows = await database
        .updateTable("website")
        .set({ report: JSON.stringify(report), taken_until_ms: untilMs })
        .where("id", "=", id)
        .where("run", "=", run)
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async finish({ id, run }, { state, problem, report, hasDocument, nextAtMs, finishedAtMs }) {
      const rows = await database
        .updateTable("website")
        .set({
          state,
          problem,
          report: JSON.stringify(report),
          has_document: hasDocument ? 1 : 0,
          next_at_ms: nextAtMs,
          finished_at_ms: finishedAtMs,
          ...nobody,
        })
        .where("id", "=", id)
        .where("run", "=", run)
        .returning("id")
        .execute();
      return rows.length > 0;
    },
  };
}

/** Websites that avatars answer from, in SQL. */
export const websiteRows = (database: Kysely<Tables>): WebsiteStore => ({
  ...operatorRows(database),
  ...readerRows(database),
});
