import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { ChangeCompanions, QuotaReason } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Undoes the transaction it is thrown in, because a quota leaves no place. */
class QuotaRefusal extends Error {
  override readonly name = "QuotaRefusal";
  readonly reason: QuotaReason;

  constructor(reason: QuotaReason) {
    super(reason);
    this.reason = reason;
  }
}

async function minutesOf(database: Kysely<Tables>, organizationId: string, month: string): Promise<number> {
  const row = await database
    .selectFrom("organization_month")
    .select("minutes")
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .executeTakeFirst();
  return row?.minutes ?? 0;
}

/**
 * Counts a live session more. The organization's row is changed before anything is looked at: so those who come at the
 * same time wait for each other, in whichever process they are, and none goes past the quota. Throws a QuotaRefusal.
 */
export async function admitSession(
  transaction: Kysely<Tables>,
  organizationId: string,
  month: string,
): Promise<void> {
  const row = await transaction
    .updateTable("organization")
    .set((column) => ({ active_sessions: column("active_sessions", "+", 1) }))
    .where("id", "=", organizationId)
    .returning(["active_sessions", "max_active_sessions", "max_month_min", "credits"])
    .executeTakeFirstOrThrow();
  if (row.max_active_sessions !== null && row.active_sessions > row.max_active_sessions)
    throw new QuotaRefusal("MAX_ACTIVE_SESSION_QUOTA_EXCEEDED");
  if (row.credits !== null && row.credits < 1) throw new QuotaRefusal("INSUFFICIENT_CREDITS");
  if (row.max_month_min === null) return;
  if ((await minutesOf(transaction, organizationId, month)) >= row.max_month_min)
    throw new QuotaRefusal("TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED");
}

/** Counts a live session less. */
export async function dismissSession(transaction: Kysely<Tables>, organizationId: string): Promise<void> {
  await transaction
    .updateTable("organization")
    .set((column) => ({ active_sessions: column("active_sessions", "-", 1) }))
    .where("id", "=", organizationId)
    .execute();
}

/**
 * Adds started minutes to an organization's month and takes their credits; of minutes that are owed, as many credits as
 * there are. Throws a QuotaRefusal.
 */
export async function buyMinutes(
  transaction: Kysely<Tables>,
  organizationId: string,
  { count, month, isOwed }: NonNullable<ChangeCompanions["minutes"]>,
): Promise<void> {
  const left = sql<number>`credits - ${count}`;
  const { credits, max_month_min } = await transaction
    .updateTable("organization")
    .set({ credits: isOwed ? sql<number>`case when credits < ${count} then 0 else ${left} end` : left })
    .where("id", "=", organizationId)
    .returning(["credits", "max_month_min"])
    .executeTakeFirstOrThrow();
  if (credits !== null && credits < 0) throw new QuotaRefusal("INSUFFICIENT_CREDITS");
  const { minutes } = await transaction
    .insertInto("organization_month")
    .values({ organization_id: organizationId, month, minutes: count })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "month"])
        .doUpdateSet({ minutes: sql<number>`organization_month.minutes + excluded.minutes` }),
    )
    .returning("minutes")
    .executeTakeFirstOrThrow();
  if (!isOwed && max_month_min !== null && minutes > max_month_min)
    throw new QuotaRefusal("TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED");
}

/** Runs a transaction; what a quota refused is undone and resolves with the reason. */
export async function orQuotaReason<Value>(work: Promise<Value>): Promise<Value | QuotaReason> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QuotaRefusal) return error.reason;
    throw error;
  }
}
