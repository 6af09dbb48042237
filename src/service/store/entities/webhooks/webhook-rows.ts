import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { inPage, pageOf } from "../../database/paging.ts";
import { ask, type Queries, storedJson, type Unit } from "../../database/queries.ts";
import type { Tables } from "../../database/tables.ts";
import type { WebhookSeal } from "../../secrets/sealed-webhooks.ts";
import type { WebhookState } from "../../../../protocol/console/webhooks.ts";
import type {
  WebhookDeliveryRecord,
  WebhookLease,
  WebhookOutcome,
  WebhookRecord,
  WebhookStore,
} from "./webhook-store.ts";

function toRecord(row: Selectable<Tables["webhook"]>, seal: WebhookSeal): WebhookRecord {
  const owner = { id: row.id, organizationId: row.organization_id };
  return {
    ...owner,
    ...seal.read(row.target, owner),
    events: storedJson(row.events),
    withWords: row.with_words === 1,
    state: row.state,
    failures: row.failures,
    createdAtMs: row.created_at_ms,
  };
}

function toDelivery(row: Selectable<Tables["webhook_delivery"]>): WebhookDeliveryRecord {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    sessionId: row.session_id,
    type: row.type,
    atMs: row.at_ms,
    data: storedJson(row.data),
    words: row.words === null ? null : storedJson(row.words),
    state: row.state,
    attempts: row.attempts,
    attemptedAtMs: row.attempted_at_ms,
    nextAtMs: row.next_at_ms,
    status: row.status,
    problem: row.problem,
  };
}

const nobody = { run: null, taken_until_ms: null } as const;

/** What owners do with webhooks. */
function ownerRows(
  database: Kysely<Tables>,
  seal: WebhookSeal,
): Pick<WebhookStore, "insert" | "list" | "find" | "remove" | "turnOn"> {
  const ofOrganization = (organizationId: string) =>
    database.selectFrom("webhook").selectAll().where("organization_id", "=", organizationId);
  return {
    async insert(webhook) {
      await database
        .insertInto("webhook")
        .values({
          id: webhook.id,
          organization_id: webhook.organizationId,
          target: seal.write(webhook, webhook),
          events: JSON.stringify(webhook.events),
          with_words: webhook.withWords ? 1 : 0,
          state: webhook.state,
          failures: webhook.failures,
          created_at_ms: webhook.createdAtMs,
        })
        .execute();
    },
    async list(organizationId) {
      const rows = await ofOrganization(organizationId).orderBy("sequence").execute();
      return rows.map((row) => toRecord(row, seal));
    },
    async find(organizationId, id) {
      const row = await ofOrganization(organizationId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row, seal) : null;
    },
    async remove(organizationId, id) {
      const rows = await database
        .deleteFrom("webhook")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async turnOn(organizationId, id) {
      await database
        .updateTable("webhook")
        .set({ state: "on", failures: 0 })
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .execute();
    },
  };
}

/** Removes what is too old, and what is too much. */
async function trimmed(database: Kysely<Tables>, beforeMs: number, most: number): Promise<number> {
  const old = await database.deleteFrom("webhook_delivery").where("at_ms", "<", beforeMs).executeTakeFirst();
  let removed = Number(old.numDeletedRows);
  const done = database.selectFrom("webhook_delivery").where("state", "<>", "waiting");
  const full = await done
    .select("webhook_id")
    .groupBy("webhook_id")
    .having(({ fn }) => fn.countAll(), ">", most)
    .execute();
  for (const { webhook_id: webhookId } of full) {
    const beyond = await done
      .select("sequence")
      .where("webhook_id", "=", webhookId)
      .orderBy("sequence", "desc")
      .offset(most)
      .limit(1)
      .executeTakeFirst();
    const { numDeletedRows } = await database
      .deleteFrom("webhook_delivery")
      .where("webhook_id", "=", webhookId)
      .where("state", "<>", "waiting")
      .where("sequence", "<=", beyond?.sequence ?? 0)
      .executeTakeFirst();
    removed += Number(numDeletedRows);
  }
  return removed;
}

/** Deliveries as they are added, listed and removed. */
function deliveryRows(
  database: Kysely<Tables>,
): Pick<WebhookStore, "add" | "deliveries" | "delivery" | "again" | "trim"> {
  const all = (webhookId: string) =>
    database.selectFrom("webhook_delivery").selectAll().where("webhook_id", "=", webhookId);
  /** Whether there are so many, or more. */
  const areThere = async (query: ReturnType<typeof all>, count: number): Promise<boolean> =>
    (await query.clearSelect().select("id").limit(count).execute()).length >= count;
  return {
    async add({ id, webhookId, sessionId, type, atMs, data, words }, limits) {
      const ofConversation = all(webhookId).where("session_id", "=", sessionId).where("type", "=", type);
      if (sessionId !== "" && (await areThere(ofConversation, limits.ofConversation))) return false;
      if (await areThere(all(webhookId).where("state", "=", "waiting"), limits.waiting)) return false;
      await database
        .insertInto("webhook_delivery")
        .values({
          ...{ id, type, data: JSON.stringify(data), words: words && JSON.stringify(words) },
          ...{ webhook_id: webhookId, session_id: sessionId, at_ms: atMs, state: "waiting", attempts: 0 },
          ...{ attempted_at_ms: null, next_at_ms: atMs, status: null, problem: null },
          ...nobody,
        })
        .execute();
      return true;
    },
    async deliveries(webhookId, request) {
      return pageOf(await inPage(all(webhookId), request, "newest first").execute(), request, toDelivery);
    },
    async delivery(webhookId, id) {
      const row = await all(webhookId).where("id", "=", id).executeTakeFirst();
      return row ? toDelivery(row) : null;
    },
    async again(webhookId, id, nowMs) {
      await database
        .updateTable("webhook_delivery")
        .set({ state: "waiting", attempts: 0, next_at_ms: nowMs })
        .where("webhook_id", "=", webhookId)
        .where("id", "=", id)
        .execute();
    },
    trim: (beforeMs, most) => trimmed(database, beforeMs, most),
  };
}

type Due = ExpressionBuilder<Tables, "webhook_delivery">;

/** Whether nobody sends a delivery. */
const isFree =
  (nowMs: number) =>
  ({ or, eb }: Due) =>
    or([
      eb("webhook_delivery.taken_until_ms", "is", null),
      eb("webhook_delivery.taken_until_ms", "<", nowMs),
    ]);

/** The id of the delivery that has waited longest, of a webhook that gets nothing at the moment. */
async function nextDue(database: Kysely<Tables>, nowMs: number): Promise<string | undefined> {
  const found = await database
    .selectFrom("webhook_delivery")
    .innerJoin("webhook", "webhook.id", "webhook_delivery.webhook_id")
    .select("webhook_delivery.id")
    .where("webhook.state", "=", "on")
    .where("next_at_ms", "<=", nowMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_delivery as other")
            .select("other.id")
            .whereRef("other.webhook_id", "=", "webhook_delivery.webhook_id")
            .where("other.taken_until_ms", ">=", nowMs),
        ),
      ),
    )
    .orderBy("next_at_ms")
    .orderBy("webhook_delivery.sequence")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

/** The delivery, if this process still has it. */
const leased = (database: Kysely<Tables>, { delivery, run }: WebhookLease) =>
  database.updateTable("webhook_delivery").where("id", "=", delivery.id).where("run", "=", run);

/** The delivery and its webhook change together: whoever sees the one sees the other. */
function* ending(
  database: Kysely<Tables>,
  lease: WebhookLease,
  { nextAtMs, status, problem, attemptedAtMs }: WebhookOutcome,
  mostFailures: number,
): Unit<WebhookState | null> {
  const state = nextAtMs !== null ? "waiting" : problem === null ? "delivered" : "failed";
  const change = { state, next_at_ms: nextAtMs, status, problem, attempted_at_ms: attemptedAtMs } as const;
  yield* ask(
    leased(database, lease)
      .set({ ...change, ...nobody })
      .compile(),
  );
  const one = database.updateTable("webhook").where("id", "=", lease.webhook.id);
  if (problem === null) {
    yield* ask(one.set({ failures: 0 }).where("failures", ">", 0).compile());
    return null;
  }
  yield* ask(one.set(({ eb }) => ({ failures: eb("failures", "+", 1) })).compile());
  const off = problem === "gone" ? "gone" : "off";
  const isOver = one
    .set({ state: off })
    .where("state", "=", "on")
    .where("failures", ">=", off === "gone" ? 0 : mostFailures);
  return (yield* ask(isOver.compile())).changed > 0 ? off : null;
}

/** What sends them. */
function senderRows(
  database: Kysely<Tables>,
  queries: Queries,
  seal: WebhookSeal,
): Pick<WebhookStore, "take" | "finish" | "giveBack"> {
  return {
    async take(run, nowMs, untilMs, wanted) {
      for (;;) {
        const id = wanted ?? (await nextDue(database, nowMs));
        if (id === undefined) return null;
        const [row] = await database
          .updateTable("webhook_delivery")
          .set(({ eb }) => ({ run, taken_until_ms: untilMs, attempts: eb("attempts", "+", 1) }))
          .where("id", "=", id)
          // Another process may have taken it meanwhile. The row itself is asked again, not a copy from before.
          .where("next_at_ms", "<=", nowMs)
          .where(isFree(nowMs))
          .returningAll()
          .execute();
        if (row) {
          const webhook = await database
            .selectFrom("webhook")
            .selectAll()
            .where("id", "=", row.webhook_id)
            .executeTakeFirst();
          return webhook ? { run, delivery: toDelivery(row), webhook: toRecord(webhook, seal) } : null;
        }
        if (wanted !== undefined) return null;
      }
    },
    finish: (lease, outcome, mostFailures) =>
      queries.unit(() => ending(database, lease, outcome, mostFailures)),
    async giveBack(lease) {
      await leased(database, lease)
        .set(({ eb }) => ({ attempts: eb("attempts", "-", 1), ...nobody }))
        .execute();
    },
  };
}

/** Webhooks, and what is sent to them, in SQL. */
export const webhookRows = (database: Kysely<Tables>, queries: Queries, seal: WebhookSeal): WebhookStore => ({
  ...ownerRows(database, seal),
  ...deliveryRows(database),
  ...senderRows(database, queries, seal),
});
