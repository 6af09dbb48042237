import {
  accountChangeSchema,
  accountListSchema,
  accountSchema,
} from "../../../../protocol/console/accounts.ts";
import type { Account } from "../../../../protocol/console/accounts.ts";
import { listAccounts, removeAccount, setAccountRole } from "../../../administration/accounts/accounts.ts";
import type { AccountUse } from "../../../administration/accounts/accounts.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";
import { isoTime } from "./console-access.ts";
import type { ConsoleAccess } from "./console-access.ts";

const tag = "Accounts";
const auth = "operator";
const role = "owner";
const accountPath = "/api/console/accounts/:account/";

function accountView({ account, lastSeenAtMs }: AccountUse): Account {
  return {
    id: account.id,
    username: account.username,
    role: account.role,
    is_first: account.isFirst,
    created_at: isoTime(account.createdAtMs),
    last_seen_at: lastSeenAtMs === null ? null : isoTime(lastSeenAtMs),
  };
}

/** Who can log in to the console. */
export function accountRoutes({ store, clock }: ConsoleAccess): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/console/accounts/",
      id: "listAccounts",
      tag,
      summary: "List who can log in to the console",
      auth,
      role,
      answer: { status: 200, description: "The accounts in order of creation", schema: accountListSchema },
      handler: async ({ caller: { organizationId } }) =>
        (await listAccounts(store, organizationId, clock.nowMs())).map(accountView),
    }),
    operation({
      method: "PUT",
      path: accountPath,
      id: "changeAccount",
      tag,
      summary: "Change what an account may do, at once",
      auth,
      role,
      body: { schema: accountChangeSchema },
      answer: { status: 200, description: "The account", schema: accountSchema },
      target: (_call, { id, username }) => ({ id, name: username }),
      async handler({ params, caller: { organizationId }, body }) {
        const changed = await setAccountRole(store, organizationId, params.account, body.role);
        const uses = await listAccounts(store, organizationId, clock.nowMs());
        return accountView(
          uses.find(({ account }) => account.id === changed.id) ?? { account: changed, lastSeenAtMs: null },
        );
      },
    }),
    operation({
      method: "DELETE",
      path: accountPath,
      id: "deleteAccount",
      tag,
      summary: "Remove an account; its logins end",
      auth,
      role,
      answer: { status: 204, description: "The account was removed" },
      async handler({ params, caller: { organizationId } }) {
        await removeAccount(store, organizationId, params.account);
      },
    }),
  ];
}
