import { sql } from "kysely";
import type { Kysely, RawBuilder, Selectable } from "kysely";
import { compiledOnce } from "./compiled-once.ts";
import { ask } from "./queries.ts";
import type { Query, Unit } from "./queries.ts";
import type { ChangeCompanions, QuotaReason } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Undoes the unit it is thrown in, because a quota leaves no place. */
class QuotaRefusal extends Error {
  override readonly name = "QuotaRefusal";
  readonly reason: QuotaReason;

  constructor(reason: QuotaReason) {
    super(reason);
    this.reason = reason;
  }
}

/** What quotas have to do with a change of a session: parts of the unit that saves it. */
export interface QuotaUnits {
  /**
   * Counts a live session more, or answers why there is no place for it. The organization's row is changed before anything
   * is looked at: so those who come at the same time wait for each other, in whichever process they are, and none goes past
   * the quota.
   */
  admit(organizationId: string, month: string): Unit<QuotaReason | null>;
  /** The same for a session whose place was freed. Throws a QuotaRefusal where there is none for it. */
  readmit(organizationId: string, month: string): Unit<void>;
  /** Counts a live session less. */
  dismiss(organizationId: string): Unit<void>;
  /**
   * Adds started minutes to an organization's month and takes their credits; of minutes that are owed, as many credits as
   * there are. Throws a QuotaRefusal.
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
      { isSingle: true, locks: ["organization", "id"] },
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
      { isSingle: true, locks: ["organization", "id"] },
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
      { isSingle: true, locks: ["organization_month", "organizationId"] },
    ),
  };
}

/** The one row that a query answers. Throws where there is none. */
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
      // Taken back and not thrown: what is undone takes along those who share its transaction.
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

/** A unit whose refusal by a quota, undone by then, resolves with the reason. */
export async function orQuotaReason<Value>(work: Promise<Value>): Promise<Value | QuotaReason> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QuotaRefusal) return error.reason;
    throw error;
  }
}
