import type { Kysely } from "kysely";
import { compiledOnce } from "./compiled-once.ts";
import type { Queries } from "./queries.ts";
import type { OrganizationStore, Quotas } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Undefined columns are not changed. That matters for credits, which sessions take at the same time. */
function quotaColumns(quotas: Partial<Quotas>) {
  return {
    max_active_sessions: quotas.activeSessions,
    max_session_min: quotas.minutesPerSession,
    max_month_min: quotas.minutesPerMonth,
    credits: quotas.credits,
  };
}

function organizationQuotas(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<OrganizationStore, "quotas" | "setQuotas" | "usage"> {
  const selectQuotas = compiledOnce<{ id: string }, Quotas>(
    (parameter) =>
      database
        .selectFrom("organization")
        .select([
          "max_active_sessions as activeSessions",
          "max_session_min as minutesPerSession",
          "max_month_min as minutesPerMonth",
          "credits",
        ])
        .where("id", "=", parameter("id")),
    { isSingle: true },
  );
  return {
    async quotas(id) {
      const [row] = (await queries.run(selectQuotas({ id }))).rows;
      if (!row) return null;
      const { activeSessions, minutesPerSession, minutesPerMonth, credits } = row;
      return { activeSessions, minutesPerSession, minutesPerMonth, credits };
    },
    async setQuotas(id, quotas) {
      const { numUpdatedRows } = await database
        .updateTable("organization")
        .set(quotaColumns(quotas))
        .where("id", "=", id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async usage(id, month) {
      const organization = await database
        .selectFrom("organization")
        .select("active_sessions")
        .where("id", "=", id)
        .executeTakeFirst();
      const used = await database
        .selectFrom("organization_month")
        .select("minutes")
        .where("organization_id", "=", id)
        .where("month", "=", month)
        .executeTakeFirst();
      return { activeSessions: organization?.active_sessions ?? 0, minutes: used?.minutes ?? 0 };
    },
  };
}

/** Organizations in SQL. */
export function organizationRows(database: Kysely<Tables>, queries: Queries): OrganizationStore {
  return {
    async insert({ id, name, createdAtMs }, quotas = {}) {
      await database
        .insertInto("organization")
        .values({ id, name, created_at_ms: createdAtMs, ...quotaColumns(quotas) })
        .execute();
    },
    async first() {
      const row = await database
        .selectFrom("organization")
        .select(["id", "name"])
        .orderBy("created_at_ms")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },
    async list() {
      const rows = await database
        .selectFrom("organization")
        .select(["id", "name", "created_at_ms"])
        .orderBy("created_at_ms")
        .orderBy("id")
        .execute();
      return rows.map(({ id, name, created_at_ms }) => ({ id, name, createdAtMs: created_at_ms }));
    },
    ...organizationQuotas(database, queries),
  };
}
