import type { TerminationReason } from "../../../protocol/session/session.ts";
import type { Kysely } from "kysely";
import { compiledOnce, type Queries } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

/** A stored organization. */
export interface OrganizationRecord {
  id: string;
  name: string;
  createdAtMs: number;
}

/** How much an organization may use; null: no limit. */
export interface Quotas {
  /** Sessions that have not ended. */
  activeSessions: number | null;
  /** Length of one session, for sessions created from now on. */
  minutesPerSession: number | null;
  /** Started minutes in progress of all sessions together, in a calendar month (UTC). */
  minutesPerMonth: number | null;
  /** The credits that are left: every started minute in progress takes one. */
  credits: number | null;
}

/** How much an organization uses. */
export interface Usage {
  activeSessions: number;
  /** Started minutes in progress in the month. */
  minutes: number;
}

/** Why a quota refuses a session. */
export type QuotaReason = Extract<
  TerminationReason,
  "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED" | "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED" | "INSUFFICIENT_CREDITS"
>;

/** Organizations with their quotas. */
export interface OrganizationStore {
  /** Quotas that are not given do not limit the organization. */
  insert(organization: OrganizationRecord, quotas?: Partial<Quotas>): Promise<void>;
  /** The organization that was created first; the seed belongs to it. */
  first(): Promise<{ id: string; name: string } | null>;
  /** In order of creation. */
  list(): Promise<OrganizationRecord[]>;
  /** Null if there is no such organization. */
  quotas(id: string): Promise<Quotas | null>;
  /** Replaces the quotas that are given. Resolves with whether there is such an organization. */
  setQuotas(id: string, quotas: Partial<Quotas>): Promise<boolean>;
  /** `month` (`2026-01`, UTC) is the one whose minutes are returned. */
  usage(id: string, month: string): Promise<Usage>;
}

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
