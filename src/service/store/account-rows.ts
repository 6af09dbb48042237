import { sql, type Kysely, type Selectable } from "kysely";
import { compiledOnce } from "./compiled-once.ts";
import type { Queries } from "./queries.ts";
import type { AccountRecord, AccountStore } from "./store.ts";
import type { Tables } from "./tables.ts";

type AccountColumns = Tables["account"];

/** User names that differ only in their case are one name. */
export const usernameKey = (username: string): string => username.normalize("NFKC").toLowerCase();

/** A record from the columns of an account. */
export function toAccount(row: Selectable<AccountColumns>): AccountRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    username: row.username,
    role: row.role,
    isFirst: row.is_first === 1,
    passwordHash: row.password_hash,
    replacedPassword: row.replaced_password,
    createdAtMs: row.created_at_ms,
  };
}

/** The statement that inserts an account, and nothing if its user name is taken. */
export function accountInsertion(database: Kysely<Tables>) {
  const insert = compiledOnce<AccountColumns, unknown>((parameter) =>
    database
      .insertInto("account")
      .values({
        id: parameter("id"),
        organization_id: parameter("organization_id"),
        username: parameter("username"),
        username_key: parameter("username_key"),
        role: parameter("role"),
        is_first: parameter("is_first"),
        password_hash: parameter("password_hash"),
        replaced_password: parameter("replaced_password"),
        created_at_ms: parameter("created_at_ms"),
      })
      .onConflict((conflict) => conflict.column("username_key").doNothing()),
  );
  return (account: AccountRecord) =>
    insert({
      id: account.id,
      organization_id: account.organizationId,
      username: account.username,
      username_key: usernameKey(account.username),
      role: account.role,
      is_first: account.isFirst ? 1 : 0,
      password_hash: account.passwordHash,
      replaced_password: account.replacedPassword,
      created_at_ms: account.createdAtMs,
    });
}

function accountReads(
  database: Kysely<Tables>,
): Pick<AccountStore, "byId" | "byUsername" | "first" | "list"> {
  const all = () => database.selectFrom("account").selectAll();
  const one = (row: Selectable<AccountColumns> | undefined) => (row ? toAccount(row) : null);
  return {
    byId: async (id) => one(await all().where("id", "=", id).executeTakeFirst()),
    byUsername: async (username) =>
      one(await all().where("username_key", "=", usernameKey(username)).executeTakeFirst()),
    first: async () => one(await all().where("is_first", "=", 1).executeTakeFirst()),
    async list(organizationId) {
      const rows = await all()
        .where("organization_id", "=", organizationId)
        .orderBy("created_at_ms")
        .orderBy("id")
        .execute();
      return rows.map(toAccount);
    },
  };
}

function accountChanges(database: Kysely<Tables>): Pick<AccountStore, "setRole" | "remove" | "setPassword"> {
  /** In the same statement, so that no other change can remove the last owner in between. */
  const anotherOwner = (organizationId: string, id: string) =>
    sql<boolean>`exists (
      select 1 from account as other
      where other.organization_id = ${organizationId} and other.role = 'owner' and other.id <> ${id}
    )`;
  return {
    async setRole(organizationId, id, role) {
      const change = database
        .updateTable("account")
        .set({ role })
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .where("is_first", "=", 0);
      const allowed = role === "owner" ? change : change.where(anotherOwner(organizationId, id));
      return (await allowed.executeTakeFirst()).numUpdatedRows === 1n;
    },
    async remove(organizationId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("account")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .where("is_first", "=", 0)
        .where(anotherOwner(organizationId, id))
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    async setPassword(id, passwordHash, replacedPassword) {
      await database
        .updateTable("account")
        .set({ password_hash: passwordHash, replaced_password: replacedPassword })
        .where("id", "=", id)
        .execute();
    },
  };
}

/** Accounts in SQL. */
export function accountRows(database: Kysely<Tables>, queries: Queries): AccountStore {
  const insertion = accountInsertion(database);
  return {
    insert: async (account) => (await queries.run(insertion(account))).changed === 1,
    ...accountReads(database),
    ...accountChanges(database),
  };
}
