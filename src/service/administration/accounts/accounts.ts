import type { AccountRole } from "../../../protocol/console/accounts.ts";
import type { AccountRecord, LoginRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { createHash } from "node:crypto";
import type { PasswordHasher } from "../../operator-password.ts";

type AccountStore = Pick<Store, "accounts">;

/** An account, and when it was last used. */
export interface AccountUse {
  account: AccountRecord;
  /** The last use of its logins that have not expired; null without one. */
  lastSeenAtMs: number | null;
}

/** The accounts of an organization, in order of creation. */
export async function listAccounts(
  { accounts, logins }: Pick<Store, "accounts" | "logins">,
  organizationId: string,
  nowMs: number,
): Promise<AccountUse[]> {
  const current = await logins.list(organizationId, nowMs);
  return (await accounts.list(organizationId)).map((account) => {
    const own = current.filter(({ accountId }) => accountId === account.id);
    const lastSeenAtMs = own.length > 0 ? Math.max(...own.map((login) => login.lastSeenAtMs)) : null;
    return { account, lastSeenAtMs };
  });
}

async function namedAccount(
  { accounts }: AccountStore,
  organizationId: string,
  id: string,
): Promise<AccountRecord> {
  const account = await accounts.byId(id);
  if (account?.organizationId !== organizationId)
    throw new AdministrationError("not_found", `There is no account "${id}".`);
  return account;
}

function refusal({ isFirst }: AccountRecord): AdministrationError {
  return new AdministrationError(
    "owner_needed",
    isFirst
      ? "This account has the installation's password; it stays an owner."
      : "This is the only owner; make somebody else an owner first.",
  );
}

/** Changes what an account may do. Throws AdministrationError `not_found` and `owner_needed`. */
export async function setAccountRole(
  store: AccountStore,
  organizationId: string,
  id: string,
  role: AccountRole,
): Promise<AccountRecord> {
  const account = await namedAccount(store, organizationId, id);
  if (account.role === role) return account;
  if (!(await store.accounts.setRole(organizationId, id, role))) throw refusal(account);
  return { ...account, role };
}

/** Removes an account; its logins end. Throws AdministrationError `not_found` and `owner_needed`. */
export async function removeAccount(
  store: AccountStore,
  organizationId: string,
  id: string,
): Promise<AccountRecord> {
  const account = await namedAccount(store, organizationId, id);
  if (!(await store.accounts.remove(organizationId, id))) throw refusal(account);
  return account;
}

/** A login and its account. */
export interface AccountLogin {
  login: LoginRecord;
  account: AccountRecord;
}

/** The logins of an organization that have not expired, the latest first; of one account, or of all if none is given. */
export async function listLogins(
  { accounts, logins }: Pick<Store, "accounts" | "logins">,
  organizationId: string,
  accountId: string | null,
  nowMs: number,
): Promise<AccountLogin[]> {
  const known = new Map((await accounts.list(organizationId)).map((account) => [account.id, account]));
  return (await logins.list(organizationId, nowMs)).flatMap((login) => {
    const account = known.get(login.accountId);
    const isMeant = accountId === null || login.accountId === accountId;
    return account && isMeant ? [{ login, account }] : [];
  });
}

/** Ends a login: of one account, or of any of the organization's. Throws AdministrationError `not_found`. */
export async function endLogin(
  { logins }: Pick<Store, "logins">,
  organizationId: string,
  accountId: string | null,
  id: string,
): Promise<void> {
  const found = await logins.byId(id);
  const isMeant = accountId === null || found?.account.id === accountId;
  if (found?.account.organizationId !== organizationId || !isMeant || !(await logins.remove(id)))
    throw new AdministrationError("not_found", `There is no login "${id}".`);
}

/** A hash that no password has. Checking it takes as long as checking a real one. */
const nobody = "scrypt$$";

/** A digest that identifies the installation's password. The hash itself contains a salt that the database must not have. */
function digestOf(installationHash: string): string {
  return createHash("sha256").update(installationHash).digest("hex");
}

/**
 * The hash that a password of the account must match. The first account has the installation's password until it sets its own;
 * a new password of the installation then counts again, so that the server's operator can always log in.
 */
function validHash(
  { isFirst, passwordHash, replacedPassword }: AccountRecord,
  installationHash: string | undefined,
): string | null {
  if (!isFirst || installationHash === undefined) return passwordHash;
  const isReplaced = passwordHash !== null && replacedPassword === digestOf(installationHash);
  return isReplaced ? passwordHash : installationHash;
}

/**
 * Whether this is the account's password. `installationHash` is the hash of the password that the server printed or was given.
 * The answer takes the same time when there is no such account.
 */
export function isAccountPassword(
  passwords: PasswordHasher,
  account: AccountRecord | null,
  password: string,
  installationHash: string | undefined,
): Promise<boolean> {
  const hash = account && validHash(account, installationHash);
  return passwords.matches(password, hash ?? nobody);
}

/** Sets an account's password and ends its logins, except one. */
export async function setAccountPassword(
  passwords: PasswordHasher,
  { accounts, logins }: Pick<Store, "accounts" | "logins">,
  { account, keptLoginId }: { account: AccountRecord; keptLoginId: string },
  password: string,
  installationHash: string | undefined,
): Promise<void> {
  const replaced = account.isFirst && installationHash !== undefined ? digestOf(installationHash) : null;
  await accounts.setPassword(account.id, await passwords.hash(password), replaced);
  await logins.removeOthers(account.id, keptLoginId);
}
