import type { Kysely, Selectable } from "kysely";
import { toAccount } from "./accounts.ts";
import { compiledOnce, type Queries } from "../database/queries.ts";
import type { LoginRecord, LoginStore } from "../store.ts";
import type { Tables } from "../database/tables.ts";

type LoginColumns = Tables["account_login"];

function toLogin(row: Selectable<LoginColumns>): LoginRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    address: row.address,
    userAgent: row.user_agent,
    createdAtMs: row.created_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    expiresAtMs: row.expires_at_ms,
  };
}

function loginRemovals(
  database: Kysely<Tables>,
): Pick<LoginStore, "remove" | "removeOthers" | "removeExpired"> {
  return {
    async remove(id) {
      const { numDeletedRows } = await database
        .deleteFrom("account_login")
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    async removeOthers(accountId, keptId) {
      await database
        .deleteFrom("account_login")
        .where("account_id", "=", accountId)
        .where("id", "<>", keptId)
        .execute();
    },
    async removeExpired(nowMs) {
      await database.deleteFrom("account_login").where("expires_at_ms", "<=", nowMs).execute();
    },
  };
}

/** Logins in SQL. `byId` runs with every request of the console, so its queries are compiled once. */
export function loginRows(database: Kysely<Tables>, queries: Queries): LoginStore {
  const selectLogin = compiledOnce<{ id: string }, Selectable<LoginColumns>>(
    (parameter) => database.selectFrom("account_login").selectAll().where("id", "=", parameter("id")),
    { isSingle: true },
  );
  const selectAccount = compiledOnce<{ id: string }, Selectable<Tables["account"]>>(
    (parameter) => database.selectFrom("account").selectAll().where("id", "=", parameter("id")),
    { isSingle: true },
  );
  return {
    async insert(login) {
      await database
        .insertInto("account_login")
        .values({
          id: login.id,
          account_id: login.accountId,
          address: login.address,
          user_agent: login.userAgent,
          created_at_ms: login.createdAtMs,
          last_seen_at_ms: login.lastSeenAtMs,
          expires_at_ms: login.expiresAtMs,
        })
        .execute();
    },
    async byId(id) {
      const [login] = (await queries.run(selectLogin({ id }))).rows;
      if (!login) return null;
      const [account] = (await queries.run(selectAccount({ id: login.account_id }))).rows;
      return account ? { login: toLogin(login), account: toAccount(account) } : null;
    },
    async touch(id, nowMs) {
      await database
        .updateTable("account_login")
        .set({ last_seen_at_ms: nowMs })
        .where("id", "=", id)
        .execute();
    },
    async list(organizationId, nowMs) {
      const rows = await database
        .selectFrom("account_login")
        .innerJoin("account", "account.id", "account_login.account_id")
        .selectAll("account_login")
        .where("account.organization_id", "=", organizationId)
        .where("account_login.expires_at_ms", ">", nowMs)
        .orderBy("account_login.last_seen_at_ms", "desc")
        .orderBy("account_login.id")
        .execute();
      return rows.map(toLogin);
    },
    ...loginRemovals(database),
  };
}
