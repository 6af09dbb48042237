import {
  apiKeyCreatedSchema,
  apiKeyCreateSchema,
  apiKeyListSchema,
} from "../../../../protocol/console/api-keys.ts";
import type { ApiKeyInConsole } from "../../../../protocol/console/api-keys.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../administration/api-keys.ts";
import type { ApiKeyView } from "../../../administration/api-keys.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";
import { isoTime } from "./console-access.ts";
import type { ConsoleAccess } from "./console-access.ts";

const tag = "API keys";
const auth = "operator";
const role = "owner";
const path = "/api/console/api-keys/";

function keyView({ id, name, createdAtMs, state }: ApiKeyView): ApiKeyInConsole {
  const at = state.atMs === null ? null : isoTime(state.atMs);
  return { id, name, created_at: isoTime(createdAtMs), status: state.status, at };
}

/** The keys of an organization's own programs. */
export function apiKeyRoutes({ store, clock }: Pick<ConsoleAccess, "store" | "clock">): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listApiKeys",
      tag,
      summary: "List the API keys, without the keys themselves",
      auth,
      role,
      answer: { status: 200, description: "In order of creation", schema: apiKeyListSchema },
      handler: async ({ caller: { organizationId } }) =>
        (await listApiKeys(store, organizationId, clock.nowMs())).map(keyView),
    }),
    operation({
      method: "POST",
      path,
      id: "createApiKey",
      tag,
      summary: "Make an API key",
      auth,
      role,
      body: { schema: apiKeyCreateSchema },
      answer: {
        status: 201,
        description: "Only this answer has the key itself",
        schema: apiKeyCreatedSchema,
      },
      target: (_call, { id, name }) => ({ id, name }),
      async handler({ caller: { organizationId }, body: { name, expires_at: expiry } }) {
        const expiresAtMs = expiry === undefined ? null : Date.parse(expiry);
        const made = await createApiKey(store, { organizationId, name, expiresAtMs }, clock.nowMs());
        return { ...keyView(made), key: made.key };
      },
    }),
    operation({
      method: "DELETE",
      path: "/api/console/api-keys/:key/",
      id: "revokeApiKey",
      tag,
      summary: "Revoke an API key, at once and for good",
      auth,
      role,
      answer: { status: 204, description: "The key is invalid from now on" },
      handler: ({ params, caller: { organizationId } }) =>
        revokeApiKey(store, organizationId, params.key, clock.nowMs()),
    }),
  ];
}
