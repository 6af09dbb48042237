import {
  type ConsoleLogin,
  consoleLoginListSchema,
  loginSchema,
  passwordChangeSchema,
} from "../../../../protocol/console/accounts.ts";
import {
  type AccountLogin,
  endLogin,
  listLogins,
  setAccountPassword,
} from "../../../administration/accounts/accounts.ts";
import { Fault } from "../../../faults/fault.ts";
import type { AccountRecord, Store } from "../../../store/store.ts";
import { type AuditedChange, failedLogin } from "../../audited-change.ts";
import { AuthFault, type OperatorSession } from "../../identity.ts";
import { loginPath } from "../../console/login-device.ts";
import type { HttpContext } from "../../http-environment.ts";
import { requestSource } from "../../middleware/same-origin.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import { type ConsoleAccess, consoleSessionView, isoTime, whoIsLoggedIn } from "./console-access.ts";

const tag = "Console";

/** Writes to the audit log what is no change by a caller that the operation requires. */
const record = async (context: HttpContext, change: AuditedChange): Promise<void> =>
  context.get("recordChange")?.(context.req.raw, context.env, change);

/**
 * Writes to the audit log that a login failed, and whose account it was for. A name that no account has is not written: it may
 * be a password in the wrong field.
 */
async function recordFailure(
  { accounts }: Pick<Store, "accounts">,
  context: HttpContext,
  account: AccountRecord | null,
): Promise<void> {
  const organizationId = (account ?? (await accounts.first()))?.organizationId;
  if (organizationId === undefined) return;
  await record(context, {
    caller: { by: "unknown", organizationId },
    operation: failedLogin,
    target: account && { id: account.id, name: account.username },
  });
}

const logIn = ({ store, sessions, devices, checkPassword, publicUrl }: ConsoleAccess): Operation =>
  operation({
    method: "POST",
    path: loginPath,
    id: "logIn",
    tag,
    summary: "Log in to the console; sets the session cookie",
    auth: "none",
    body: { schema: loginSchema },
    answer: whoIsLoggedIn,
    async handler({ context, body: { password, username } }) {
      // Otherwise another page could log the operator in as somebody else.
      if (requestSource(context, publicUrl) === "foreign") throw Fault.forbidden();
      const isNamed = username !== undefined;
      const account = isNamed ? await store.accounts.byUsername(username) : await store.accounts.first();
      const device = await devices.of(context);
      const isRight = await checkPassword(context, { account, password, device });
      if (!isRight || account === null) {
        await recordFailure(store, context, account);
        throw AuthFault.wrongPassword({ isNamed });
      }
      const session = await sessions.begin(context, account);
      await devices.remember(context);
      const caller = { by: "operator", organizationId: session.organizationId, session } as const;
      await record(context, {
        caller,
        operation: "logIn",
        target: null,
      });
      return consoleSessionView(store, session);
    },
  });

const logOut = ({ sessions }: ConsoleAccess): Operation =>
  operation({
    method: "POST",
    path: "/api/console/logout/",
    id: "logOut",
    tag,
    summary: "Log out; the cookie is revoked",
    auth: "none",
    answer: { status: 204, description: "The login has ended" },
    async handler({ context }) {
      const { identity } = context.get("authentication");
      if (identity.by === "operator" && !identity.isIntended) throw Fault.forbidden();
      await sessions.end(context);
      if (identity.by !== "operator") return;
      const { session } = identity;
      await record(context, {
        caller: { by: "operator", organizationId: session.organizationId, session },
        operation: "logOut",
        target: null,
      });
    },
  });

const retrieveConsoleSession = ({ store }: ConsoleAccess): Operation =>
  operation({
    method: "GET",
    path: "/api/console/session/",
    id: "retrieveConsoleSession",
    tag,
    summary: "Find out who is logged in",
    auth: "operator",
    answer: whoIsLoggedIn,
    handler: ({ caller }) => consoleSessionView(store, caller.session),
  });

const changePassword = ({ store, passwords, checkPassword, installationHash }: ConsoleAccess): Operation =>
  operation({
    method: "PUT",
    path: "/api/console/password/",
    id: "changePassword",
    tag,
    summary: "Change your password; every other browser is logged out",
    auth: "operator",
    role: "viewer",
    body: { schema: passwordChangeSchema },
    answer: { status: 204, description: "The password was changed" },
    async handler({ context, caller, body }) {
      const { session } = caller;
      const account = await store.accounts.byId(session.accountId);
      // Counted for the account. Otherwise somebody with the cookie could guess from many addresses.
      const question = { account, password: body.current_password, device: `account:${session.accountId}` };
      if (!(await checkPassword(context, question)) || account === null) {
        await record(context, { caller, operation: failedLogin, target: null });
        throw Fault.invalid("invalid", "This password is wrong.", "current_password");
      }
      const change = { account, keptLoginId: session.id };
      await setAccountPassword(passwords, store, change, body.new_password, installationHash);
    },
  });

function loginView({ login, account }: AccountLogin, session: OperatorSession): ConsoleLogin {
  return {
    id: login.id,
    account: { id: account.id, username: account.username },
    address: login.address,
    user_agent: login.userAgent,
    created_at: isoTime(login.createdAtMs),
    last_seen_at: isoTime(login.lastSeenAtMs),
    expires_at: isoTime(login.expiresAtMs),
    is_current: login.id === session.id,
  };
}

/** Whose logins an operator may see and end: an owner everybody's (null), the others their own. */
const reach = ({ role, accountId }: OperatorSession): string | null => (role === "owner" ? null : accountId);

const listConsoleLogins = ({ store, clock }: ConsoleAccess): Operation =>
  operation({
    method: "GET",
    path: "/api/console/logins/",
    id: "listConsoleLogins",
    tag,
    summary: "List the browsers that are logged in: your own, and for owners those of everybody",
    auth: "operator",
    answer: { status: 200, description: "The logins, the latest first", schema: consoleLoginListSchema },
    async handler({ caller: { organizationId, session } }) {
      const logins = await listLogins(store, organizationId, reach(session), clock.nowMs());
      return logins.map((login) => loginView(login, session));
    },
  });

const endConsoleLogin = ({ store }: ConsoleAccess): Operation =>
  operation({
    method: "DELETE",
    path: "/api/console/logins/:login/",
    id: "endConsoleLogin",
    tag,
    summary: "Log out one of your browsers, or for owners any browser",
    auth: "operator",
    role: "viewer",
    answer: { status: 204, description: "The browser is logged out" },
    handler: ({ params, caller: { organizationId, session } }) =>
      endLogin(store, organizationId, reach(session), params.login),
  });

/** Logging in and out, changing the password, and the browsers that are logged in. */
export function loginRoutes(access: ConsoleAccess): Operation[] {
  return [
    logIn(access),
    logOut(access),
    retrieveConsoleSession(access),
    changePassword(access),
    listConsoleLogins(access),
    endConsoleLogin(access),
  ];
}
