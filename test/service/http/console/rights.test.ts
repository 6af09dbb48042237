/** Who may call each operation of the console. Those that delete: deletions.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountRoles, type AccountRole } from "../../../../src/protocol/console/accounts.ts";
import { roleOf } from "../../../../src/service/http/operations/operation.ts";
import { statusOf } from "../../answers.ts";
import { apiKey, noRateLimits, type RunningService } from "../../service-fixture.ts";
import { registeredOperations } from "../operations/answering.ts";
import { openKeptStore } from "../shared-service.ts";
import { type Browser, invited, own, owner, runConsole } from "./console-fixture.ts";

/** The operations for which it is not enough to be a viewer to read, or an editor to change. */
const others: Readonly<Record<AccountRole, readonly string[]>> = {
  viewer: ["changePassword", "testKnowledge", "checkSuggestions", "checkOrigin"],
  answers: [
    ...["setMessageState", "setPresence", "keepAnswering", "takeOverConversation", "sendPersonMessage"],
    ...["showWriting", "whisper", "handBackConversation"],
  ],
  editor: ["retrieveContextDraft"],
  owner: [
    ...["listAccounts", "changeAccount", "listInvitations", "createInvitation", "listApiKeys"],
    "createApiKey",
    ...["listWebhooks", "addWebhook", "turnWebhookOn", "testWebhook", "listWebhookDeliveries"],
    ...["sendWebhookDelivery", "listAuditLog", "replaceQuotas", "restoreAllConversations", "putEngine"],
    ...["listModelsAtAddress", "installModel"],
  ],
};

const operations = registeredOperations.filter(
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
  run = await runConsole({ rateLimits: noRateLimits }, { folder: kept.folder, store: kept.store });
  browsers = {
    viewer: await invited(run, "viewer", "Vera"),
    answers: await invited(run, "answers", "Ann"),
    editor: await invited(run, "editor", "Edda"),
    owner: await owner(run),
  };
});
afterAll(() => end());

test("every operation that is named exists", () => {
  const named = Object.values(others).flat();
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
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
  expect(await statusOf(run.request(path, { method, headers: own }))).toBe(401);
  // A key does what an editor may, and nothing with accounts.
  const headers = { "ServicePlatform-APIKey": apiKey };
  if (auth === "operator" || least === "owner" || /account|login|invitation/.test(path))
    expect(await statusOf(run.request(path, { method, headers }))).toBe(403);
});

// A stream goes on until its reader leaves.
const lists = operations.filter(
  ({ id, method, path }) => method === "GET" && !path.includes(":") && id !== "streamLive",
);

test.each(lists)("$id is answered to the least who may", async ({ id, method, path }) => {
  expect(await statusOf(browsers[leastOf(id, method)].get(path))).toBe(200);
});
