import { isAccountPassword } from "../../administration/accounts/account-password.ts";
import type { Clock } from "../../clock.ts";
import type { AccountRecord } from "../../store/store.ts";
import { AuthFault } from "../auth-fault.ts";
import { addressKey } from "../client-address.ts";
import type { ClientAddress } from "../client-address.ts";
import type { HttpContext } from "../http-environment.ts";
import { showWindow } from "../middleware/rate-limit.ts";
import type { LoginGuard } from "./login-guard.ts";

interface PasswordCheckParts {
  guard: LoginGuard;
  clock: Clock;
  clientAddress: ClientAddress;
  attemptsPerMinute: number;
  /** The hash of the installation's password. Undefined: nobody has it. */
  installationHash: string | undefined;
}

/** What a request's password is checked against. */
interface PasswordQuestion {
  account: AccountRecord | null;
  password: string;
  /** What counts the attempts instead of the address: a browser of an earlier login. */
  device: string | null;
}

/** Checks passwords of requests, with limits against guessing. */
export type PasswordCheck = (context: HttpContext, question: PasswordQuestion) => Promise<boolean>;

/** Makes a check that throws an AuthFault (429) where the source must wait, and shows how many attempts are left. */
export function createPasswordCheck(parts: PasswordCheckParts): PasswordCheck {
  const { guard, clock, clientAddress, attemptsPerMinute: limit, installationHash } = parts;
  return async (context, { account, password, device }) => {
    const source = { address: addressKey(context, clientAddress), device };
    const outcome = await guard.attempt(source, () => isAccountPassword(account, password, installationHash));
    if (outcome.type === "right") return true;
    const { resetAtMs, total } = outcome.window;
    const used = outcome.type === "wait" ? limit + 1 : total;
    showWindow(context, { resetAtMs, limit, total: used }, clock.nowMs());
    if (outcome.type === "wait") throw AuthFault.rateLimited();
    return false;
  };
}
