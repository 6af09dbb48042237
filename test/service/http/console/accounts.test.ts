import { describe, expect } from "vitest";
import type {
  Account,
  ConsoleLogin,
  ConsoleSession,
  Invitation,
} from "../../../../src/protocol/console/accounts.ts";
import type { ApiKeyInConsole } from "../../../../src/protocol/console/api-keys.ts";
import { errorsOf, refusalOf, statusOf } from "../../answers.ts";
import type { RunningService } from "../../service-fixture.ts";
import {
  type Browser,
  browserOf,
  invited,
  jsonOf,
  logIn,
  own,
  ownerByPassword,
  password,
  passwords,
  runConsole,
  sendOwn,
  test,
} from "./console-fixture.ts";

const accounts = "/api/console/accounts/";
const invitations = "/api/console/invitations/";
const contexts = "/api/console/b2c/contexts/";
const logins = "/api/console/logins/";
const keys = "/api/console/api-keys/";

describe("an invitation", () => {
  const invite = async (browser: Browser, fields: object) => {
    const made = await jsonOf<Invitation & { link: string }>(browser.send("POST", invitations, fields));
    const [address, token] = made.link.split("#");
    return { ...made, address, token };
  };
  const preview = (run: RunningService, token?: string) =>
    sendOwn(run, "/api/console/invitation/", { token });
  const accept = (run: RunningService, fields: object, headers?: Record<string, string>) => {
    const body = { username: "Ben", password: "long enough for this", ...fields };
    return sendOwn(run, "/api/console/invitation/accept/", body, headers);
  };

  test("makes one account with its role, which is logged in at once and can log in by its name", async ({
    run,
    browser,
  }) => {
    const { address, token, ...made } = await invite(browser, { role: "editor", note: "Ana" });
    expect(made).toMatchObject({ role: "editor", note: "Ana", invited_by: "owner" });
    expect(address).toBe("https://relay.example/console/invitation");
    expect(await jsonOf(preview(run, token))).toMatchObject({ organization: "Visavis", role: "editor" });
    const own = { token, username: "Ana", password: "a password of Ana's own" };
    const ana = browserOf(run, await accept(run, own));
    expect(await jsonOf(ana.get("/api/console/session/"))).toMatchObject({
      account: { username: "Ana", role: "editor" },
      organization: { id: run.organizationId },
    });
    expect(await jsonOf(browser.get(invitations))).toEqual([]);
    const [again] = await errorsOf(accept(run, { ...own, username: "Eve" }));
    expect(again?.detail).toMatch(/^This invitation was used/);
    expect(await statusOf(logIn(run, { username: "ANA", password: own.password }))).toBe(200);
    expect(await statusOf(logIn(run, { username: "ANA", password }))).toBe(401);
  });

  test("is stored only as a hash, expires after a week, and can be withdrawn", async ({ run, browser }) => {
    const kept = await invite(browser, { role: "viewer", note: "kept" });
    const withdrawn = await invite(browser, { role: "viewer", note: "withdrawn" });
    const stored = await run.store.invitations.list(run.organizationId);
    expect(JSON.stringify([stored, await jsonOf(browser.get(invitations))])).not.toContain(kept.token);
    expect(await statusOf(browser.send("DELETE", `${invitations}${withdrawn.id}/`))).toBe(204);
    expect(await statusOf(preview(run, withdrawn.token))).toBe(400);
    expect(await statusOf(preview(run, kept.token))).toBe(200);
    run.pass(7 * 24 * 60 * 60);
    expect(await statusOf(preview(run, kept.token))).toBe(400);
    expect(await jsonOf((await ownerByPassword(run)).get(invitations))).toEqual([]);
  });

  test("stays usable when the chosen name is taken, and no other page can use it", async ({
    run,
    browser,
  }) => {
    const { token } = await invite(browser, { role: "viewer" });
    expect(await refusalOf(accept(run, { token, username: " Owner " }))).toEqual([400, "username invalid"]);
    expect(await statusOf(accept(run, { token }, { ...own, Origin: "https://evil.example" }))).toBe(403);
    expect(await statusOf(accept(run, { token, password: "short" }))).toBe(400);
    expect(await statusOf(accept(run, { token }))).toBe(200);
  });

  test("used at the same time makes one account", async ({ run, browser }) => {
    const { token } = await invite(browser, { role: "viewer" });
    const uses = ["one", "two", "three"].map((username) => statusOf(accept(run, { token, username })));
    expect((await Promise.all(uses)).sort()).toEqual([200, 400, 400]);
    expect(await run.store.accounts.list(run.organizationId)).toHaveLength(2);
  });
});

describe("roles", () => {
  test("a changed role holds from the next request on, a removed account is logged out", async ({
    run,
    browser,
  }) => {
    const editor = await invited(run, "editor", "Edda");
    await editor.get(contexts);
    const edda = (await jsonOf<Account[]>(browser.get(accounts))).find(
      ({ username }) => username === "Edda",
    )!;
    expect(edda.last_seen_at).not.toBeNull();
    const path = `${accounts}${edda.id}/`;
    const changed = await jsonOf(browser.send("PUT", path, { role: "viewer" }));
    expect(changed).toEqual({ ...edda, role: "viewer" });
    expect(await statusOf(editor.send("POST", contexts, {}))).toBe(403);
    expect(await statusOf(browser.send("DELETE", path))).toBe(204);
    expect(await statusOf(editor.get(contexts))).toBe(401);
    expect(await statusOf(browser.send("DELETE", path))).toBe(404);
  });

  test("the first account stays an owner, and an organization keeps one", async ({ run, browser }) => {
    const { account } = await jsonOf<ConsoleSession>(browser.get("/api/console/session/"));
    const path = `${accounts}${account.id}/`;
    const refused = await browser.send("PUT", path, { role: "viewer" });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("stays an owner")]);
    expect(await statusOf(browser.send("DELETE", path))).toBe(403);
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    const baker = { organizationId: "bakery", passwordHash: "", replacedPassword: null, createdAtMs: 1 };
    for (const id of ["a", "b"])
      await run.store.accounts.insert({
        ...baker,
        id,
        username: `baker ${id}`,
        role: "owner",
        isFirst: false,
      });
    expect(await statusOf(browser.send("DELETE", `${accounts}a/`))).toBe(404);
    expect(await run.store.accounts.setRole("bakery", "a", "editor")).toBe(true);
    expect(await run.store.accounts.setRole("bakery", "b", "editor")).toBe(false);
    expect(await run.store.accounts.remove("bakery", "b")).toBe(false);
  });
});

describe("logins", () => {
  test("are listed with browser and address, and end when they are revoked", async () => {
    const run = await runConsole({}, { clientAddress: (request) => request.headers.get("x-test-address") });
    const there = { ...own, "User-Agent": "Firefox", "x-test-address": "203.0.113.7" };
    const away = browserOf(run, await logIn(run, { password }, there));
    const here = await ownerByPassword(run);
    const listed = await jsonOf<ConsoleLogin[]>(here.get(logins));
    expect(listed).toHaveLength(2);
    const found = listed.find(({ is_current: isCurrent }) => !isCurrent)!;
    const account = { username: "owner" };
    expect(found).toMatchObject({ user_agent: "Firefox", address: "203.0.113.7", account });
    expect(await statusOf(here.send("DELETE", `${logins}${found.id}/`))).toBe(204);
    expect([await statusOf(away.get(contexts)), await statusOf(here.get(contexts))]).toEqual([401, 200]);
  });

  test("of others are seen and ended by owners only", async ({ run, browser }) => {
    const viewer = await invited(run, "viewer", "Vera");
    const own = await jsonOf<ConsoleLogin[]>(viewer.get(logins));
    expect(own.map(({ account }) => account.username)).toEqual(["Vera"]);
    const all = await jsonOf<ConsoleLogin[]>(browser.get(logins));
    const theirs = all.find(({ is_current: isCurrent }) => isCurrent)!;
    expect(await statusOf(viewer.send("DELETE", `${logins}${theirs.id}/`))).toBe(404);
    expect(await statusOf(browser.send("DELETE", `${logins}${own[0]!.id}/`))).toBe(204);
    expect(await statusOf(viewer.get(contexts))).toBe(401);
  });

  test("that have expired are no longer listed, and are removed at the next login", async ({ run }) => {
    await ownerByPassword(run);
    run.pass(12 * 60 * 60);
    const next = await ownerByPassword(run);
    expect(await jsonOf(next.get(logins))).toHaveLength(1);
    expect(await run.store.logins.list(run.organizationId, 0)).toHaveLength(1);
  });
});

describe("a changed password", () => {
  const changed = "an even better password";
  const put = (browser: Browser, fields: object = {}) => {
    const change = { current_password: password, new_password: changed, ...fields };
    return browser.send("PUT", "/api/console/password/", change);
  };
  const logInWith = (run: RunningService, given: string) => statusOf(logIn(run, { password: given }));

  test("logs every other browser out, and the former one is refused", async ({ run }) => {
    const [here, away] = [await ownerByPassword(run), await ownerByPassword(run)];
    expect(await statusOf(put(here))).toBe(204);
    expect([await statusOf(away.get(contexts)), await statusOf(here.get(contexts))]).toEqual([401, 200]);
    expect([await logInWith(run, password), await logInWith(run, changed)]).toEqual([401, 200]);
  });

  test("needs the present one, at least twelve characters, and is limited like logins", async ({
    browser,
  }) => {
    expect(await statusOf(put(browser, { new_password: "too short" }))).toBe(400);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const wrong = put(browser, { current_password: "wrong" });
      expect((await refusalOf(wrong)).join()).toMatch(/^400,current_password /);
    }
    expect(await statusOf(put(browser))).toBe(429);
  });

  test("of the first owner holds until the installation gets another one", async ({ run, browser }) => {
    await put(browser);
    const installed = "set by whoever runs the server";
    const operatorPasswordHash = await passwords.hash(installed);
    const later = await runConsole({ operatorPasswordHash }, { store: run.store });
    expect([await logInWith(later, changed), await logInWith(later, installed)]).toEqual([401, 200]);
    expect(await logInWith(run, changed)).toBe(200);
  });
});

describe("an API key", () => {
  test("is shown once, works until it is revoked, and is in no list and no log", async ({ run, browser }) => {
    const { key, ...made } = await jsonOf<ApiKeyInConsole & { key: string }>(
      browser.send("POST", keys, { name: "Press kit" }),
    );
    expect(made).toMatchObject({ name: "Press kit", status: "active", at: null });
    const use = () =>
      statusOf(run.request("/api/v1/prompt/", { headers: { "ServicePlatform-APIKey": key } }));
    expect(await use()).toBe(200);
    for (const path of [keys, "/api/console/audit-log/"])
      expect(await (await browser.get(path)).text()).not.toContain(key);
    expect(await statusOf(browser.send("DELETE", `${keys}${made.id}/`))).toBe(204);
    expect(await use()).toBe(401);
    const [, revoked] = await jsonOf<ApiKeyInConsole[]>(browser.get(keys));
    expect(revoked).toMatchObject({ id: made.id, status: "revoked", at: "2026-01-01T00:00:00.000Z" });
  });

  test("may expire, not in the past", async ({ browser }) => {
    const make = (expires_at: string) => browser.send("POST", keys, { name: "Job", expires_at });
    expect(await jsonOf(make("2026-02-01T00:00:00Z"))).toMatchObject({ at: "2026-02-01T00:00:00.000Z" });
    expect((await refusalOf(make("2025-12-31T00:00:00Z"))).join()).toMatch(/^400,expires_at /);
    expect(await statusOf(browser.send("DELETE", `${keys}none/`))).toBe(404);
  });
});
