import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { presenceLastsMs } from "../conversation-turns.ts";
import type { LiveStore } from "./live-store.ts";

/** Waits are remembered for a day, in ms. */
const waitsKeptMs = 24 * 60 * 60_000;

/** Who is there. */
function presenceRows(
  database: Kysely<Tables>,
): Pick<LiveStore, "presence" | "setPresence" | "touch" | "touchTalks" | "people"> {
  const toPresence = (row: Pick<Tables["operator_presence"], "account_id" | "name" | "until_ms">) => ({
    accountId: row.account_id,
    name: row.name,
    untilMs: row.until_ms,
  });
  const all = (organizationId: string) =>
    database
      .selectFrom("operator_presence")
      .select(["account_id", "name", "until_ms"])
      .where("organization_id", "=", organizationId);
  return {
    async presence(organizationId, accountId) {
      const row = await all(organizationId).where("account_id", "=", accountId).executeTakeFirst();
      return row ? toPresence(row) : null;
    },
    async setPresence(organizationId, { accountId, name, untilMs }, nowMs) {
      const set = { name, until_ms: untilMs, seen_at_ms: nowMs };
      await database
        .insertInto("operator_presence")
        .values({ account_id: accountId, organization_id: organizationId, ...set })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(set))
        .execute();
    },
    async touch(accountId, nowMs) {
      await database
        .updateTable("operator_presence")
        .set({ seen_at_ms: nowMs })
        .where("account_id", "=", accountId)
        .where("until_ms", ">", nowMs)
        .execute();
    },
    async touchTalks(accountId, nowMs) {
      await database
        .updateTable("live_talk")
        .set({ seen_at_ms: nowMs })
        .where("account_id", "=", accountId)
        .execute();
    },
    async people(organizationId, nowMs) {
      const rows = await all(organizationId)
        .where("until_ms", ">", nowMs)
        .where("seen_at_ms", ">", nowMs - presenceLastsMs)
        .orderBy("account_id")
        .execute();
      return rows.map(toPresence);
    },
  };
}

/** How long visitors have waited. */
function waitRows(database: Kysely<Tables>): Pick<LiveStore, "addWait" | "waits"> {
  return {
    async addWait(organizationId, nowMs, waitedMs) {
      await database
        .deleteFrom("person_wait")
        .where("at_ms", "<", nowMs - waitsKeptMs)
        .execute();
      await database
        .insertInto("person_wait")
        .values({ organization_id: organizationId, at_ms: nowMs, waited_ms: waitedMs })
        .execute();
    },
    async waits(organizationId, sinceMs) {
      const rows = await database
        .selectFrom("person_wait")
        .select("waited_ms")
        .where("organization_id", "=", organizationId)
        .where("at_ms", ">", sinceMs)
        .orderBy("at_ms", "desc")
        .limit(10)
        .execute();
      return rows.map((row) => row.waited_ms);
    },
  };
}

/** Who is there for visitors, and how long those have waited, in SQL. */
export function peopleRows(
  database: Kysely<Tables>,
): ReturnType<typeof presenceRows> & ReturnType<typeof waitRows> {
  return { ...presenceRows(database), ...waitRows(database) };
}
