import { expect } from "vitest";
import type { AuditEntry } from "../../../../src/protocol/console/audit.ts";
import { MemoryCounter } from "../../../../src/relay/limits/memory-counter.ts";
import { createAudit, strangersPerHour } from "../../../../src/service/http/audit.ts";
import { statusOf } from "../../answers.ts";
import { silentLog } from "../../service-fixture.ts";
import {
  type Browser,
  invited,
  jsonOf,
  logIn,
  origin,
  owner,
  ownerByPassword,
  password,
  runConsole,
  sendOwn,
  test,
} from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const log = "/api/console/audit-log/";
const body = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

const entriesOf = (browser: Browser) => jsonOf<AuditEntry[]>(browser.get(log));
const words = ({ by, operation, target }: AuditEntry) => `${by.name} ${operation} ${target?.name ?? "-"}`;

test("the audit log says who changed what, when and from where, the newest first", async () => {
  const run = await runConsole({}, { clientAddress: () => "203.0.113.7" });
  const first = await ownerByPassword(run);
  run.pass(60);
  const { id } = await jsonOf<{ id: string }>(first.send("POST", contexts, body));
  const changed = { ...body, name: "Bakery", instructions: "canary of the instructions" };
  await first.send("PUT", `${contexts}${id}/`, changed);
  await run.send("DELETE", `${contexts}${id}/`, {});
  const entries = await entriesOf(first);
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
    ...{ address: "203.0.113.7", operation: "createContext", summary: "Create an embed context" },
    target: { id, name: "Shop" },
  });
  expect(entries[0]!.target!.id).toBe(id);
  expect(JSON.stringify(entries)).not.toContain("canary");
});

test("what was refused, only read, or done by visitors is not in it", async ({ run, browser }) => {
  const viewer = await invited(run, "viewer", "Vera");
  const before = await entriesOf(browser);
  await viewer.send("POST", contexts, body);
  await browser.send("POST", contexts, { ...body, tts_type: "no such voice" });
  await browser.get(contexts);
  await run.event(await run.newSession(), "SESSION_START");
  expect(await entriesOf(browser)).toEqual(before);
});

test("passwords, keys and tokens are not in it", async ({ run, browser }) => {
  await invited(run, "editor", "Edda");
  const change = { current_password: password, new_password: "canary of a password" };
  expect(await statusOf(browser.send("PUT", "/api/console/password/", change))).toBe(204);
  const entries = await entriesOf(browser);
  const made = ["owner changePassword -", "Edda acceptInvitation Edda", "owner createInvitation Edda"];
  expect(entries.map(words)).toEqual(expect.arrayContaining(made));
  expect(JSON.stringify(entries)).not.toMatch(/canary|long password|scrypt/);
});

test("can be filtered by who made a change, and is read page by page", async ({ run, browser }) => {
  const editor = await invited(run, "editor", "Edda");
  for (let number = 0; number < 5; number += 1) await editor.send("POST", contexts, body);
  const edda = (await run.store.accounts.byUsername("edda"))!;
  const page = await browser.get(`${log}?account=${edda.id}&limit=4`);
  expect(await jsonOf(page)).toHaveLength(4);
  const next = /<([^>]+)>/.exec(page.headers.get("link")!)![1]!;
  const rest = await jsonOf<AuditEntry[]>(browser.get(`${log}${next}`));
  expect(rest.map(({ operation }) => operation)).toEqual(["createContext", "acceptInvitation"]);
});

test("a change is answered also when the log cannot be written, and the server's log says so", async ({
  run,
  browser,
}) => {
  run.store.audit.add = () => Promise.reject(new Error("disk full"));
  expect(await statusOf(browser.send("POST", contexts, body))).toBe(201);
  expect(run.lines).toContainEqual(expect.objectContaining({ level: "error", route: "createContext" }));
  expect(await statusOf(logIn(run))).toBe(200);
});

test("logins that failed, logging out and downloads of conversations are in it", async () => {
  const run = await runConsole({}, { clientAddress: () => "203.0.113.7" });
  const editor = await invited(run, "editor", "Edda");
  const before = (await entriesOf(await owner(run))).length;
  const guess = "canary-of-a-guess";
  expect(await statusOf(logIn(run, { username: "Edda", password: guess }))).toBe(401);
  expect(await statusOf(logIn(run, { username: "canary-of-no-account", password }))).toBe(401);
  const change = { current_password: guess, new_password: "something long enough" };
  expect(await statusOf(editor.send("PUT", "/api/console/password/", change))).toBe(400);
  const conversations = "/api/console/conversation-export";
  for (const format of ["json", "csv"]) await (await editor.get(`${conversations}/${format}/`)).text();
  await (await run.get(`${conversations}/csv/`)).text();
  await editor.send("POST", "/api/console/logout/");
  await sendOwn(run, "/api/console/logout/", undefined);
  const entries = await entriesOf(await owner(run));
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

test("strangers cannot fill the disk with failed logins", async ({ run }) => {
  const { store, organizationId, nowMs } = run;
  const counter = new MemoryCounter(nowMs);
  const audit = createAudit({ store, clock: { nowMs }, log: silentLog, clientAddress: () => null, counter });
  const caller = { by: "unknown" as const, organizationId };
  const fail = () => audit(new Request(origin), {}, { operation: "logInFailed", target: null, caller });
  const count = async () => (await store.audit.page(organizationId, { limit: 1_000 })).items.length;
  for (let number = 0; number < 2 * strangersPerHour; number += 1) await fail();
  expect(await count()).toBe(strangersPerHour);
  run.pass(3_600);
  await fail();
  expect(await count()).toBe(strangersPerHour + 1);
});
