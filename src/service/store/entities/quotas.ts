import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { ask, compiledOnce, type Query, type Unit } from "../database/queries.ts";
import type { ChangeCompanions } from "./session-store.ts";
import type { QuotaReason, Quotas } from "./organizations.ts";
import type { Tables } from "../database/tables.ts";

/** Thrown in a unit to roll it back, because a quota refuses it. */
class QuotaRefusal extends Error {
  override readonly name = "QuotaRefusal";
  readonly reason: QuotaReason;

  constructor(reason: QuotaReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The parts of a session's units that check and change quotas. */
export interface QuotaUnits {
  /**
   * Adds one to the active sessions, or returns the reason of the quota that refuses it. The organization's row is updated
   * before the quota is checked, so concurrent units of all processes wait for its lock and cannot exceed the quota together.
   */
  admit(organizationId: string, month: string): Unit<QuotaReason | null>;
  /** The same for a session whose place was freed before. Throws a QuotaRefusal. */
  readmit(organizationId: string, month: string): Unit<void>;
  /** Subtracts one from the active sessions. */
  dismiss(organizationId: string): Unit<void>;
  /**
   * Adds started minutes to an organization's month and takes their credits. Minutes that are owed take at most the credits
   * that are left. Throws a QuotaRefusal.
   */
  buy(organizationId: string, minutes: NonNullable<ChangeCompanions["minutes"]>): Unit<void>;
}

interface OrganizationMonth {
  organizationId: string;
  month: string;
}

type Organization = Selectable<Tables["organization"]>;

function activeSessionQueries(database: Kysely<Tables>) {
  const changeActive = (change: "+" | "-") =>
    compiledOnce<{ id: string }, Organization>(
      (parameter) =>
        database
          .updateTable("organization")
          .set((column) => ({ active_sessions: column("active_sessions", change, 1) }))
          .where("id", "=", parameter("id"))
          .returningAll(),
      { isSingle: true },
    );
  return { countMore: changeActive("+"), countLess: changeActive("-") };
}

function minuteQueries(database: Kysely<Tables>) {
  const takeCredits = (left: (count: RawBuilder<number>) => RawBuilder<number>) =>
    compiledOnce<{ id: string; count: number }, Organization>(
      (parameter) =>
        database
          .updateTable("organization")
          .set({ credits: left(sql<number>`${parameter("count")}`) })
          .where("id", "=", parameter("id"))
          .returningAll(),
      { isSingle: true },
    );
  return {
    takeAll: takeCredits((count) => sql<number>`credits - ${count}`),
    takeWhatIsLeft: takeCredits(
      (count) => sql<number>`case when credits < ${count} then 0 else credits - ${count} end`,
    ),
    select: compiledOnce<OrganizationMonth, { minutes: number }>(
      (parameter) =>
        database
          .selectFrom("organization_month")
          .select("minutes")
          .where("organization_id", "=", parameter("organizationId"))
          .where("month", "=", parameter("month")),
      { isSingle: true },
    ),
    add: compiledOnce<OrganizationMonth & { count: number }, { minutes: number }>(
      (parameter) =>
        database
          .insertInto("organization_month")
          .values({
            organization_id: parameter("organizationId"),
            month: parameter("month"),
            minutes: parameter("count"),
          })
          .onConflict((conflict) =>
            conflict
              .columns(["organization_id", "month"])
              .doUpdateSet({ minutes: sql<number>`organization_month.minutes + excluded.minutes` }),
          )
          .returning("minutes"),
      { isSingle: true },
    ),
  };
}

/** The only row that a query returns. Throws if there is none. */
function* askOne<Row>(query: Query<Row>): Unit<Row> {
  const [row] = (yield* ask(query)).rows;
  if (row === undefined) throw new Error("There is no such organization.");
  return row;
}

/** Quotas in SQL. */
export function quotaUnits(database: Kysely<Tables>): QuotaUnits {
  const { countMore, countLess } = activeSessionQueries(database);
  const minutes = minuteQueries(database);

  function* refusal(row: Organization, month: string): Unit<QuotaReason | null> {
    if (row.max_active_sessions !== null && row.active_sessions > row.max_active_sessions)
      return "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED";
    if (row.credits !== null && row.credits < 1) return "INSUFFICIENT_CREDITS";
    if (row.max_month_min === null) return null;
    const [used] = (yield* ask(minutes.select({ organizationId: row.id, month }))).rows;
    return (used?.minutes ?? 0) >= row.max_month_min ? "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED" : null;
  }

  return {
    *admit(organizationId, month) {
      const reason = yield* refusal(yield* askOne(countMore({ id: organizationId })), month);
      // Undone by a statement and not by throwing, because a rollback would affect the units that share the transaction.
      if (reason !== null) yield* ask(countLess({ id: organizationId }));
      return reason;
    },
    *readmit(organizationId, month) {
      const reason = yield* refusal(yield* askOne(countMore({ id: organizationId })), month);
      if (reason !== null) throw new QuotaRefusal(reason);
    },
    *dismiss(organizationId) {
      yield* ask(countLess({ id: organizationId }));
    },
    *buy(organizationId, { count, month, isOwed }) {
      const take = isOwed ? minutes.takeWhatIsLeft : minutes.takeAll;
      const row = yield* askOne(take({ id: organizationId, count }));
      if (row.credits !== null && row.credits < 0) throw new QuotaRefusal("INSUFFICIENT_CREDITS");
      const used = yield* askOne(minutes.add({ organizationId, month, count }));
      if (!isOwed && row.max_month_min !== null && used.minutes > row.max_month_min)
        throw new QuotaRefusal("TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED");
    },
  };
}

/** Resolves with the result of a unit, or with the reason if a quota has refused it. */
export async function orQuotaReason<Value>(work: Promise<Value>): Promise<Value | QuotaReason> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QuotaRefusal) return error.reason;
    throw error;
  }
}

/** Quotas of a new organization. Minutes per month and credits are not limited. */
export const defaultQuotas: Quotas = {
  activeSessions: 200,
  minutesPerSession: 120,
  minutesPerMonth: null,
  credits: null,
};
