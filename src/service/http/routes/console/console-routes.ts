import type { Operation } from "../../operations/operation.ts";
import { accountRoutes } from "./account-routes.ts";
import { apiKeyRoutes } from "./api-key-routes.ts";
import type { ConsoleAccess } from "./console-access.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { loginRoutes } from "./login-routes.ts";

/** The console's own operations. */
export function consoleRoutes(access: ConsoleAccess): Operation[] {
  return [
    ...loginRoutes(access),
    ...accountRoutes(access),
    ...invitationRoutes(access),
    ...apiKeyRoutes(access),
  ];
}
