import { expect, test } from "vitest";
import type { AuditEntry } from "../../../../src/protocol/console/audit.ts";
import { MemoryCounter } from "../../../../src/relay/limits/memory-counter.ts";
import { createAudit, strangersPerHour } from "../../../../src/service/http/audit.ts";
import { silentLog, type RunningService } from "../../service-fixture.ts";
import {
  invited,
  jsonOf,
  logIn,
  origin,
  owner,
  ownerByPassword,
  own,
  password,
  runConsole,
  sendOwn,
} from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const log = "/api/console/audit-log/";
const body = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

const words = ({ by, operation, target }: AuditEntry) => `${by.name} ${operation} ${target?.name ?? "-"}`;

const organization = async (run: RunningService) => (await run.store.accounts.first())!.organizationId;

test("the audit log says who changed what, when and from where, the newest first", async () => {
  const run = await runConsole({}, { clientAddress: () => "203.0.113.7" });
  const first = await ownerByPassword(run);
  run.pass(60);
  const { id } = await jsonOf<{ id: string }>(first.send("POST", contexts, body));
  const changed = { ...body, name: "Bakery", instructions: "canary of the instructions" };
  await first.send("PUT", `${contexts}${id}/`, changed);
  await run.send("DELETE", `${contexts}${id}/`, {});
  const entries = await jsonOf<AuditEntry[]>(first.get(log));
  expect(entries.map(words)).toEqual([
    "First key deleteContext ",
    "owner replaceContext Bakery",
    "owner createContext Shop",
    "owner logIn -",
  ]);
  expect(entries[2]).toEqual({
    id: expect.any(String),
    at: "2026-01-01T00:01:00.000Z",
    by: { type: "operator", id: (await run.store.accounts.first())!.id, name: "owner" },
    address: "203.0.113.7",
    operation: "createContext",
    summary: "Create an embed context",
    target: { id, name: "Shop" },
  });
  expect(entries[0]!.target!.id).toBe(id);
  expect(JSON.stringify(entries)).not.toContain("canary");
});

test("what was refused, only read, or done by visitors is not in it", async () => {
  const run = await runConsole();
  const viewer = await invited(run, "viewer", "Vera");
  const first = await ownerByPassword(run);
  const count = async () => (await jsonOf<AuditEntry[]>(first.get(log))).length;
  const before = await count();
  await viewer.send("POST", contexts, body);
  await first.send("POST", contexts, { ...body, tts_type: "no such voice" });
  await first.get(contexts);
  await run.event(await run.newSession(), "SESSION_START");
  expect(await count()).toBe(before);
});

test("passwords, keys and tokens are not in it", async () => {
  const run = await runConsole();
  await invited(run, "editor", "Edda");
  const first = await ownerByPassword(run);
  const change = { current_password: password, new_password: "canary of a password" };
  expect((await first.send("PUT", "/api/console/password/", change)).status).toBe(204);
  const entries = await jsonOf<AuditEntry[]>(first.get(log));
  expect(entries.map(words)).toEqual(
    expect.arrayContaining([
      "owner changePassword -",
      "Edda acceptInvitation Edda",
      "owner createInvitation Edda",
    ]),
  );
  expect(JSON.stringify(entries)).not.toMatch(/canary|long password|scrypt/);
});

test("can be filtered by who made a change, and is read page by page", async () => {
  const run = await runConsole();
  const editor = await invited(run, "editor", "Edda");
  const first = await ownerByPassword(run);
  for (let number = 0; number < 5; number += 1) await editor.send("POST", contexts, body);
  const edda = (await run.store.accounts.byUsername("edda"))!;
  const page = await first.get(`${log}?account=${edda.id}&limit=4`);
  expect(await jsonOf<AuditEntry[]>(page)).toHaveLength(4);
  const next = /<([^>]+)>/.exec(page.headers.get("link")!)![1]!;
  const rest = await jsonOf<AuditEntry[]>(first.get(`${log}${next}`));
  expect(rest.map(({ operation }) => operation)).toEqual(["createContext", "acceptInvitation"]);
});

test("a change is answered also when the log cannot be written, and the server's log says so", async () => {
  const run = await runConsole();
  const first = await ownerByPassword(run);
  run.store.audit.add = () => Promise.reject(new Error("disk full"));
  expect((await first.send("POST", contexts, body)).status).toBe(201);
  expect(run.lines).toContainEqual(expect.objectContaining({ level: "error", route: "createContext" }));
  expect((await logIn(run, { password }, own)).status).toBe(200);
});

test("logins that failed, logging out and downloads of conversations are in it", async () => {
  const run = await runConsole({}, { clientAddress: () => "203.0.113.7" });
  const editor = await invited(run, "editor", "Edda");
  const before = (await run.store.audit.page(await organization(run), { limit: 100 })).items.length;
  expect((await logIn(run, { username: "Edda", password: "canary-of-a-guess" })).status).toBe(401);
  expect((await logIn(run, { username: "canary-of-no-account", password })).status).toBe(401);
  const change = { current_password: "canary-of-a-guess", new_password: "something long enough" };
  expect((await editor.send("PUT", "/api/console/password/", change)).status).toBe(400);
  for (const format of ["json", "csv"])
    await (await editor.get(`/api/console/conversation-export/${format}/`)).text();
  await (await run.get("/api/console/conversation-export/csv/")).text();
  await editor.send("POST", "/api/console/logout/");
  await sendOwn(run, "/api/console/logout/", undefined);
  const entries = await jsonOf<AuditEntry[]>((await owner(run)).get(log));
  expect(entries.slice(0, entries.length - before).map(words)).toEqual([
    "Edda logOut -",
    "First key exportConversationsAsCsv -",
    "Edda exportConversationsAsCsv -",
    "Edda exportConversationsAsJson -",
    "Edda logInFailed -",
    " logInFailed -",
    " logInFailed Edda",
  ]);
  const failed = entries.find(({ target }) => target?.name === "Edda")!;
  expect(failed).toMatchObject({ by: { type: "unknown", id: "", name: "" }, address: "203.0.113.7" });
  expect(failed.summary).not.toBe("");
  expect(JSON.stringify(entries)).not.toContain("canary");
});

test("strangers cannot fill the disk with failed logins", async () => {
  const run = await runConsole();
  const organizationId = await organization(run);
  const audit = createAudit({
    ...{ store: run.store, clock: { nowMs: run.nowMs }, log: silentLog, clientAddress: () => null },
    counter: new MemoryCounter(run.nowMs),
  });
  const fail = () =>
    audit(
      new Request(origin),
      {},
      {
        ...{ operation: "logInFailed", target: null },
        caller: { by: "unknown", organizationId },
      },
    );
  const count = async () => (await run.store.audit.page(organizationId, { limit: 1_000 })).items.length;
  for (let number = 0; number < 2 * strangersPerHour; number += 1) await fail();
  expect(await count()).toBe(strangersPerHour);
  run.pass(3_600);
  await fail();
  expect(await count()).toBe(strangersPerHour + 1);
});
