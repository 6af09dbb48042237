/** Every operation of the console that deletes, called by everybody who may not. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import Database from "libsql";
import { expect, test } from "vitest";
import { createInvitation } from "../../../../src/service/administration/accounts/invitations.ts";
import { modelFolder, writeModelRecord } from "../../../../src/service/administration/models/model-record.ts";
import { photoFile } from "../../../photo/photo-fixture.ts";
import { filled, statusOf } from "../../answers.ts";
import { type RunningService, temporaryFolder } from "../../service-fixture.ts";
import { registeredOperations } from "../operations/answering.ts";
import { type Browser, invited, jsonOf, origin, own, owner, runConsole } from "./console-fixture.ts";
import { newConversation } from "./visitor.ts";

/** The least role that may delete it. */
const leastRole: Readonly<Record<string, "viewer" | "editor" | "owner">> = {
  endConsoleLogin: "viewer",
  deleteContext: "editor",
  deleteContextDraft: "editor",
  deleteKnowledge: "editor",
  deleteWebsite: "editor",
  deleteConversation: "editor",
  deleteMessage: "editor",
  deletePhotoCharacter: "editor",
  deleteAllConversations: "owner",
  deleteAccount: "owner",
  deleteInvitation: "owner",
  revokeApiKey: "owner",
  deleteEngine: "owner",
  deleteWebhook: "owner",
  removeModel: "owner",
};

/** What is deleted through the service's own interface, by a session or an API key. */
const notOfTheConsole = ["removeAttachedFile"];

const operations = registeredOperations.filter(
  ({ method, id }) => method === "DELETE" && !notOfTheConsole.includes(id),
);

/** A character from a photograph. Resolves with its name. */
async function newPhoto(run: RunningService, first: Browser): Promise<string> {
  const still = (side: number) => createCanvas(side, side).toBuffer("image/webp");
  const files = { character: readFileSync(photoFile), poster: still(512), porthole: still(160) };
  const body = filled(new FormData(), { title: "Anna", consent: "self", stated_by: "Anna", ...files });
  const headers = { Cookie: first.cookie, Origin: origin, "X-Requested-With": "fetch" };
  const made = run.request("/api/console/photo-characters/", { method: "POST", headers, body });
  return (await jsonOf<{ name: string }>(made)).name;
}

/** One of everything that can be deleted. Resolves with the parameters of the paths. */
async function somethingOfEach(run: RunningService, folder: string, first: Browser) {
  const made = async (path: string, body: object) =>
    (await jsonOf<{ id: string }>(first.send("POST", path, body))).id;
  const knowledge = await made("/api/console/knowledge/", { title: "Delivery", text: "In nine days." });
  const website = await made("/api/console/websites/", { address: "https://127.0.0.1:9", contexts: [] });
  const key = await made("/api/console/api-keys/", { name: "Press kit" });
  const events = ["rating.down"];
  const webhook = await made("/api/console/webhooks/", { address: "https://127.0.0.1:9", events });
  const draft = { revision: 1, settings: {} };
  await jsonOf(first.send("PUT", `/api/console/contexts/${run.demo.id}/draft/`, draft));
  const engine = { base_url: "https://llm.example/v1", model: "m1" };
  const fields = { name: "house", service: "onpremise", engine };
  await jsonOf(first.send("PUT", "/api/console/engines/model/house/", { fields, key: { none: true } }));
  await invited(run, "editor", "Lost");
  const account = (await run.store.accounts.byUsername("lost"))!.id;
  const { organizationId } = run;
  const logins = await run.store.logins.list(organizationId, 0);
  const login = logins.find(({ accountId }) => accountId !== account)!.id;
  const invitee = { organizationId, role: "viewer" as const, note: "", invitedBy: "owner" };
  const { invitation } = await createInvitation(run.store, invitee, run.nowMs());
  mkdirSync(modelFolder(folder, "whisper"), { recursive: true });
  await writeModelRecord(modelFolder(folder, "whisper"), {
    ...{ name: "whisper", kind: "recognizer", family: "whisper", languages: ["en"], source: "file" },
    ...{ sha256: "0", bytes: 1, config: {}, installedAt: "2026-01-01T00:00:00.000Z" },
  });
  const character = await newPhoto(run, first);
  const session = await newConversation(run);
  const message = "a message";
  await run.store.inbox.add(
    {
      ...{ id: message, requestId: "request-1", sessionId: session, organizationId },
      ...{ contextUuid: run.demo.id, atMs: run.nowMs(), state: "new", stateBy: "", text: "Saturday?" },
      ...{ name: "Ana", email: "ana@weiz.example", phone: "", page: "", agreedTo: "" },
    },
    5,
  );
  return {
    ...{ document: knowledge, website, webhook, key, account, login, character, session, message },
    ...{ context: run.demo.id, kind: "model", engine: "house", model: "whisper" },
    invitation: invitation.id,
  };
}

/** Everything that is stored, but for when logins were last used. */
function stored(folder: string): unknown {
  const database = new Database(join(folder, "visavis.db"), { readonly: true });
  const rowsOf = (query: string) => database.prepare(query).all([]) as { name: string }[];
  const withoutTimes = (key: string, value: unknown) => (key === "last_seen_at_ms" ? 0 : value);
  try {
    const tables = rowsOf("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
    const rows = tables.map(({ name }) => [
      name,
      rowsOf(`select * from "${name}"`).map((row) => JSON.stringify(row, withoutTimes)),
    ]);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return { rows, files: files.filter((name) => !name.startsWith("visavis.db")).sort() };
  } finally {
    database.close();
  }
}

test("the list has every operation of the console that deletes", () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(leastRole).sort());
});

test.each(operations)("$id is refused to all who may not, and changes nothing", async ({ id, path }) => {
  const folder = temporaryFolder();
  const run = await runConsole({ publicFolder: "public" }, { folder });
  const first = await owner(run);
  const parts: Readonly<Record<string, string>> = await somethingOfEach(run, folder, first);
  const viewer = await invited(run, "viewer", "Vera");
  const editor = await invited(run, "editor", "Edda");
  const address = path.replace(/:(\w+)/g, (_, name: string) => parts[name]!);
  expect(address).not.toContain("undefined");
  const least = leastRole[id]!;
  // A login of somebody else is not there for those who may only end their own.
  const refusal = id === "endConsoleLogin" ? 404 : 403;
  const before = stored(folder);
  const withHeaders = (headers: Record<string, string>) =>
    statusOf(run.request(address, { method: "DELETE", headers: { ...own, ...headers } }));
  expect(await statusOf(viewer.send("DELETE", address))).toBe(refusal);
  if (least !== "editor") expect(await statusOf(editor.send("DELETE", address))).toBe(refusal);
  expect(await withHeaders({})).toBe(401);
  // A page of another site, with the owner's cookie.
  expect(await withHeaders({ Cookie: first.cookie, Origin: "https://evil.example" })).toBe(403);
  expect(stored(folder)).toEqual(before);

  // What was tried can be deleted by those who may.
  const allowed = least === "editor" && id !== "deleteContextDraft" ? editor : first;
  expect([200, 204]).toContain(await statusOf(allowed.send("DELETE", address)));
  expect(stored(folder)).not.toEqual(before);
});
