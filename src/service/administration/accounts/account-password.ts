import { createHash } from "node:crypto";
import { hashPassword, isPassword } from "../../operator-password.ts";
import type { AccountRecord, Store } from "../../store/store.ts";

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
  account: AccountRecord | null,
  password: string,
  installationHash: string | undefined,
): Promise<boolean> {
  const hash = account && validHash(account, installationHash);
  return isPassword(password, hash ?? nobody);
}

/** Sets an account's password and ends its logins, except one. */
export async function setAccountPassword(
  { accounts, logins }: Pick<Store, "accounts" | "logins">,
  { account, keptLoginId }: { account: AccountRecord; keptLoginId: string },
  password: string,
  installationHash: string | undefined,
): Promise<void> {
  const replaced = account.isFirst && installationHash !== undefined ? digestOf(installationHash) : null;
  await accounts.setPassword(account.id, await hashPassword(password), replaced);
  await logins.removeOthers(account.id, keptLoginId);
}
