import type { AccountRole } from "../../../protocol/console/accounts.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import { compiledOnce, type Queries } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

/** Somebody who can log in to the console. */
export interface AccountRecord {
  id: string;
  organizationId: string;
  username: string;
  role: AccountRole;
  /** Whether the installation's own password belongs to this account. A store has one such account. */
  isFirst: boolean;
  /** The hash of the account's own password; null for the first account while it uses the installation's password. */
  passwordHash: string | null;
  /** For the first account: a digest of the installation's password that its own password replaced. */
  replacedPassword: string | null;
  createdAtMs: number;
}

/** A browser in which an account is logged in. */
export interface LoginRecord {
  id: string;
  accountId: string;
  address: string | null;
  userAgent: string | null;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
}

/** An invitation that nobody has used yet. Its token is stored only as a hash. */
export interface InvitationRecord {
  id: string;
  organizationId: string;
  tokenHash: string;
  role: AccountRole;
  note: string;
  invitedBy: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Accounts of the console. User names are unique in the whole store; their case does not matter. */
export interface AccountStore {
  /** Resolves with whether the user name was free. */
  insert(account: AccountRecord): Promise<boolean>;
  byId(id: string): Promise<AccountRecord | null>;
  byUsername(username: string): Promise<AccountRecord | null>;
  /** The account of the installation's own password. */
  first(): Promise<AccountRecord | null>;
  /** In order of creation. */
  list(organizationId: string): Promise<AccountRecord[]>;
  /** Changes nothing if the organization would have no owner left; resolves with whether it was changed. */
  setRole(organizationId: string, id: string, role: AccountRole): Promise<boolean>;
  /** Removes an account and its logins, unless the organization would have no owner left; resolves with whether it did. */
  remove(organizationId: string, id: string): Promise<boolean>;
  setPassword(id: string, passwordHash: string, replacedPassword: string | null): Promise<void>;
}

/** Logins at the console. */
export interface LoginStore {
  insert(login: LoginRecord): Promise<void>;
  /** A login with its account; null if there is none. */
  byId(id: string): Promise<{ login: LoginRecord; account: AccountRecord } | null>;
  touch(id: string, nowMs: number): Promise<void>;
  /** Those of an organization that have not expired, the latest first. */
  list(organizationId: string, nowMs: number): Promise<LoginRecord[]>;
  /** Resolves with whether there was such a login. */
  remove(id: string): Promise<boolean>;
  /** Removes the logins of an account, except one. */
  removeOthers(accountId: string, keptId: string): Promise<void>;
  removeExpired(nowMs: number): Promise<void>;
}

/** Invitations to become an account. */
export interface InvitationStore {
  insert(invitation: InvitationRecord): Promise<void>;
  /** In order of creation, also those that have expired. */
  list(organizationId: string): Promise<InvitationRecord[]>;
  byToken(tokenHash: string): Promise<InvitationRecord | null>;
  /** Resolves with whether there was such an invitation. */
  remove(organizationId: string, id: string): Promise<boolean>;
  /** Removes the invitation and adds the account, both or neither: an invitation makes one account. */
  use(tokenHash: string, account: AccountRecord): Promise<"used" | "gone" | "username_taken">;
}

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
