import type { Clock } from "../../../clock.ts";
import type { PasswordHasher } from "../../../operator-password.ts";
import type { Store } from "../../../store/store.ts";
import type { ConsoleSessions } from "../../console/console-session.ts";
import type { LoginDevices } from "../../console/login-device.ts";
import type { PasswordCheck } from "../../console/login-guard.ts";
import { type ConsoleSession, consoleSessionSchema } from "../../../../protocol/console/accounts.ts";
import type { OperatorSession } from "../../identity.ts";

/** What the operations on accounts and logins need. */
export interface ConsoleAccess {
  store: Store;
  clock: Clock;
  sessions: ConsoleSessions;
  /** Browsers in which an operator has logged in. */
  devices: LoginDevices;
  passwords: PasswordHasher;
  checkPassword: PasswordCheck;
  /** The hash of the installation's password. Undefined: nobody has it. */
  installationHash: string | undefined;
  publicUrl: string;
}

/** The answer of operations that log in. */
export const whoIsLoggedIn = {
  status: 200,
  description: "Who is logged in, and until when",
  schema: consoleSessionSchema,
} as const;

/** A time as answers have it. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** The name of an organization; empty if it was removed. */
export async function organizationName({ organizations }: Pick<Store, "organizations">, id: string) {
  return (await organizations.list()).find((organization) => organization.id === id)?.name ?? "";
}

/** Who is logged in, for the console. */
export async function consoleSessionView(
  store: Pick<Store, "organizations">,
  { organizationId, accountId, username, role, expiresAtMs }: OperatorSession,
): Promise<ConsoleSession> {
  return {
    organization: { id: organizationId, name: await organizationName(store, organizationId) },
    account: { id: accountId, username, role },
    expires_at: isoTime(expiresAtMs),
  };
}
