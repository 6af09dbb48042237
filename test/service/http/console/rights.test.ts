/** Who may call each operation of the console. Those that delete: deletions.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountRoles, type AccountRole } from "../../../../src/protocol/console/accounts.ts";
import { createHttpApp, type HttpDependencies } from "../../../../src/service/http/http-app.ts";
import { roleOf } from "../../../../src/service/http/operations/operation.ts";
import { defaultServiceSettings } from "../../../../src/service/service-settings.ts";
import { apiKey, type RunningService } from "../../service-fixture.ts";
import { openKeptStore } from "../shared-service.ts";
import { type Browser, invited, origin, own, owner, runConsole } from "./console-fixture.ts";

/** The operations for which it is not enough to be a viewer to read, or an editor to change. */
const others: Readonly<Record<AccountRole, readonly string[]>> = {
  viewer: ["changePassword", "testKnowledge", "checkSuggestions", "checkOrigin"],
  answers: [
    ...["setMessageState", "setPresence", "keepAnswering", "takeOverConversation", "sendPersonMessage"],
    ...["showWriting", "whisper", "handBackConversation"],
  ],
  editor: ["retrieveContextDraft"],
  owner: [
    ...[
      "listAccounts",
      "changeAccount",
      "listInvitations",
      "createInvitation",
      "listApiKeys",
      "createApiKey",
    ],
    ...["listWebhooks", "addWebhook", "turnWebhookOn", "testWebhook", "listWebhookDeliveries"],
    ...["sendWebhookDelivery", "listAuditLog", "replaceQuotas", "restoreAllConversations", "putEngine"],
    ...["listModelsAtAddress", "installModel"],
  ],
};

const { operations: registered } = createHttpApp({
  ...({} as HttpDependencies),
  store: {} as never,
  settings: { ...defaultServiceSettings, publicUrl: origin, publicFolder: "/" },
});
const operations = registered.filter(
  ({ method, auth }) => method !== "DELETE" && (auth === "operator" || auth === "console"),
);

const leastOf = (id: string, method: string): AccountRole =>
  accountRoles.find((role) => others[role].includes(id)) ?? (method === "GET" ? "viewer" : "editor");

let run: RunningService;
let browsers: Record<AccountRole, Browser>;
let end: () => Promise<void>;

beforeAll(async () => {
  const kept = await openKeptStore();
  end = kept.end;
  const plenty = { reads: 1e9, writes: 1e9 };
  const rateLimits = { key: plenty, session: plenty, address: plenty, loginsPerMinute: 5 };
  run = await runConsole({ rateLimits }, { folder: kept.folder, store: kept.store });
  browsers = {
    viewer: await invited(run, "viewer", "Vera"),
    answers: await invited(run, "answers", "Ann"),
    editor: await invited(run, "editor", "Edda"),
    owner: await owner(run),
  };
});
afterAll(() => end());

test("every operation that is named exists", () => {
  const ids = operations.map(({ id }) => id);
  expect(
    Object.values(others)
      .flat()
      .filter((id) => !ids.includes(id)),
  ).toEqual([]);
});

test.each(operations)("$id is refused to all who may not", async (operation) => {
  const { id, method, auth } = operation;
  const path = operation.path.replace(/:\w+/g, "none");
  const least = leastOf(id, method);
  expect(roleOf(operation)).toBe(least);
  const weaker = accountRoles[accountRoles.indexOf(least) - 1];
  if (weaker !== undefined) {
    const refused = await browsers[weaker].send(method, path);
    const detail = "You may not do this here.";
    expect([refused.status, await refused.json()]).toMatchObject([403, { errors: [{ detail }] }]);
  }
  expect((await run.request(path, { method, headers: own })).status).toBe(401);
  const headers = { "ServicePlatform-APIKey": apiKey };
  if (auth === "operator") expect((await run.request(path, { method, headers })).status).toBe(403);
});

// A stream goes on until its reader leaves.
const lists = operations.filter(
  ({ id, method, path }) => method === "GET" && !path.includes(":") && id !== "streamLive",
);

test.each(lists)("$id is answered to the least who may", async ({ id, method, path }) => {
  expect((await browsers[leastOf(id, method)].get(path)).status).toBe(200);
});
