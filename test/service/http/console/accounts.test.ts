import { describe, expect, test } from "vitest";
import type {
  Account,
  ConsoleLogin,
  ConsoleSession,
  Invitation,
} from "../../../../src/protocol/console/accounts.ts";
import { apiKey } from "../../service-fixture.ts";
import {
  browserOf,
  invited,
  jsonOf,
  logIn,
  own,
  ownerByPassword,
  password,
  runConsole,
  sendOwn,
  passwords,
} from "./console-fixture.ts";

const accounts = "/api/console/accounts/";
const invitations = "/api/console/invitations/";
const contexts = "/api/console/b2c/contexts/";
const logins = "/api/console/logins/";

async function refusalOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  const { errors } = (await response.json()) as { errors: { detail: string }[] };
  return `${response.status} ${errors[0]!.detail}`;
}

describe("an invitation", () => {
  test("makes one account with its role, which is logged in at once and can log in by its name", async () => {
    const run = await runConsole();
    const first = await ownerByPassword(run);
    const made = await jsonOf<Invitation & { link: string }>(
      first.send("POST", invitations, { role: "editor", note: "Ana" }),
    );
    expect(made).toMatchObject({ role: "editor", note: "Ana", invited_by: "owner" });
    const [address, token] = made.link.split("#");
    expect(address).toBe("https://relay.example/console/invitation");
    expect(await jsonOf(sendOwn(run, "/api/console/invitation/", { token }))).toMatchObject({
      organization: "Visavis",
      role: "editor",
    });
    const body = { token, username: "Ana", password: "a password of Ana's own" };
    const ana = browserOf(run, await sendOwn(run, "/api/console/invitation/accept/", body));
    expect(await jsonOf<ConsoleSession>(ana.get("/api/console/session/"))).toMatchObject({
      account: { username: "Ana", role: "editor" },
      organization: { id: run.organizationId },
    });
    expect(await jsonOf(first.get(invitations))).toEqual([]);
    const again = sendOwn(run, "/api/console/invitation/accept/", { ...body, username: "Eve" });
    expect(await refusalOf(again)).toMatch(/^400 This invitation was used/);
    expect((await logIn(run, { username: "ANA", password: body.password })).status).toBe(200);
    expect((await logIn(run, { username: "ANA", password })).status).toBe(401);
  });

  test("is stored only as a hash, expires after a week, and can be withdrawn", async () => {
    const run = await runConsole();
    const first = await ownerByPassword(run);
    const [kept, withdrawn] = await Promise.all(
      ["kept", "withdrawn"].map((note) =>
        jsonOf<Invitation & { link: string }>(first.send("POST", invitations, { role: "viewer", note })),
      ),
    );
    const tokenOf = ({ link }: { link: string }) => link.split("#")[1]!;
    const stored = JSON.stringify(await run.store.invitations.list(run.organizationId));
    expect(stored).not.toContain(tokenOf(kept!));
    expect(JSON.stringify(await jsonOf(first.get(invitations)))).not.toContain(tokenOf(kept!));
    expect((await first.send("DELETE", `${invitations}${withdrawn!.id}/`)).status).toBe(204);
    const preview = (invitation: { link: string }) =>
      sendOwn(run, "/api/console/invitation/", { token: tokenOf(invitation) });
    expect((await preview(withdrawn!)).status).toBe(400);
    expect((await preview(kept!)).status).toBe(200);
    run.pass(7 * 24 * 60 * 60);
    expect((await preview(kept!)).status).toBe(400);
    expect(await jsonOf((await ownerByPassword(run)).get(invitations))).toEqual([]);
  });

  test("stays usable when the chosen name is taken, and no other page can use it", async () => {
    const run = await runConsole();
    const { link } = await jsonOf<{ link: string }>(
      (await ownerByPassword(run)).send("POST", invitations, { role: "viewer" }),
    );
    const body = { token: link.split("#")[1], username: " Owner ", password: "long enough for this" };
    const accept = (fields: object, headers?: Record<string, string>) =>
      sendOwn(run, "/api/console/invitation/accept/", { ...body, ...fields }, headers);
    const taken = await accept({});
    expect(await taken.json()).toMatchObject({ errors: [{ attr: "username", code: "invalid" }] });
    expect((await accept({ username: "Ben" }, { ...own, Origin: "https://evil.example" })).status).toBe(403);
    expect((await accept({ username: "Ben", password: "short" })).status).toBe(400);
    expect((await accept({ username: "Ben" })).status).toBe(200);
  });

  test("used twice at the same time makes one account", async () => {
    const run = await runConsole();
    const { link } = await jsonOf<{ link: string }>(
      (await ownerByPassword(run)).send("POST", invitations, { role: "viewer" }),
    );
    const use = (username: string) =>
      sendOwn(run, "/api/console/invitation/accept/", {
        token: link.split("#")[1],
        username,
        password: "long enough for this",
      });
    const answers = await Promise.all([use("one"), use("two"), use("three")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await run.store.accounts.list(run.organizationId)).toHaveLength(2);
  });
});

describe("roles", () => {
  test("a changed role holds from the next request on, a removed account is logged out", async () => {
    const run = await runConsole();
    const editor = await invited(run, "editor", "Edda");
    const first = await ownerByPassword(run);
    const edda = (await jsonOf<Account[]>(first.get(accounts))).find(({ username }) => username === "Edda")!;
    expect(edda.last_seen_at).not.toBeNull();
    const changed = first.send("PUT", `${accounts}${edda.id}/`, { role: "viewer" });
    expect(await jsonOf<Account>(changed)).toEqual({ ...edda, role: "viewer" });
    expect((await editor.send("POST", contexts, {})).status).toBe(403);
    expect((await first.send("DELETE", `${accounts}${edda.id}/`)).status).toBe(204);
    expect((await editor.get(contexts)).status).toBe(401);
    expect((await first.send("DELETE", `${accounts}${edda.id}/`)).status).toBe(404);
  });

  test("the first account stays an owner, and an organization keeps one", async () => {
    const run = await runConsole();
    const first = await ownerByPassword(run);
    const { account } = await jsonOf<ConsoleSession>(first.get("/api/console/session/"));
    const path = `${accounts}${account.id}/`;
    expect(await refusalOf(first.send("PUT", path, { role: "viewer" }))).toMatch(/^403 .*stays an owner/);
    expect((await first.send("DELETE", path)).status).toBe(403);
    const other = { organizationId: "bakery", passwordHash: "", replacedPassword: null, createdAtMs: 1 };
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    const bakers = [
      { ...other, id: "a", username: "baker a", role: "owner" as const, isFirst: false },
      { ...other, id: "b", username: "baker b", role: "owner" as const, isFirst: false },
    ];
    for (const baker of bakers) await run.store.accounts.insert(baker);
    expect((await first.send("DELETE", `${accounts}a/`)).status).toBe(404);
    expect(await run.store.accounts.setRole("bakery", "a", "editor")).toBe(true);
    expect(await run.store.accounts.setRole("bakery", "b", "editor")).toBe(false);
    expect(await run.store.accounts.remove("bakery", "b")).toBe(false);
  });

  test("an API key does what an editor may, and nothing with accounts", async () => {
    const run = await runConsole();
    const headers = { "ServicePlatform-APIKey": apiKey };
    for (const path of [accounts, invitations, logins])
      expect((await run.request(path, { headers })).status, path).toBe(403);
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
    expect(found).toMatchObject({
      user_agent: "Firefox",
      address: "203.0.113.7",
      account: { username: "owner" },
    });
    expect((await here.send("DELETE", `${logins}${found.id}/`)).status).toBe(204);
    expect((await away.get(contexts)).status).toBe(401);
    expect((await here.get(contexts)).status).toBe(200);
  });

  test("of others are seen and ended by owners only", async () => {
    const run = await runConsole();
    const viewer = await invited(run, "viewer", "Vera");
    const first = await ownerByPassword(run);
    const own = await jsonOf<ConsoleLogin[]>(viewer.get(logins));
    expect(own.map(({ account }) => account.username)).toEqual(["Vera"]);
    const all = await jsonOf<ConsoleLogin[]>(first.get(logins));
    const theirs = all.find(({ is_current: isCurrent }) => isCurrent)!;
    expect((await viewer.send("DELETE", `${logins}${theirs.id}/`)).status).toBe(404);
    expect((await first.send("DELETE", `${logins}${own[0]!.id}/`)).status).toBe(204);
    expect((await viewer.get(contexts)).status).toBe(401);
  });

  test("that have expired are no longer listed, and are removed at the next login", async () => {
    const run = await runConsole();
    await ownerByPassword(run);
    run.pass(12 * 60 * 60);
    const next = await ownerByPassword(run);
    expect(await jsonOf<ConsoleLogin[]>(next.get(logins))).toHaveLength(1);
    expect(await run.store.logins.list(run.organizationId, 0)).toHaveLength(1);
  });
});

describe("a changed password", () => {
  const changed = "an even better password";
  const change = { current_password: password, new_password: changed };

  test("logs every other browser out, and the former one is refused", async () => {
    const run = await runConsole();
    const [here, away] = [await ownerByPassword(run), await ownerByPassword(run)];
    expect((await here.send("PUT", "/api/console/password/", change)).status).toBe(204);
    expect((await away.get(contexts)).status).toBe(401);
    expect((await here.get(contexts)).status).toBe(200);
    expect((await logIn(run)).status).toBe(401);
    expect((await logIn(run, { password: changed })).status).toBe(200);
  });

  test("needs the present one, at least twelve characters, and is limited like logins", async () => {
    const run = await runConsole();
    const here = await ownerByPassword(run);
    const put = (fields: object) => here.send("PUT", "/api/console/password/", { ...change, ...fields });
    expect((await put({ new_password: "too short" })).status).toBe(400);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const wrong = await put({ current_password: "wrong" });
      expect(await wrong.json()).toMatchObject({ errors: [{ attr: "current_password" }] });
    }
    expect((await put({})).status).toBe(429);
  });

  test("of the first owner holds until the installation gets another one", async () => {
    const run = await runConsole();
    await (await ownerByPassword(run)).send("PUT", "/api/console/password/", change);
    const hash = await passwords.hash("set by whoever runs the server");
    const later = await runConsole({ operatorPasswordHash: hash }, { store: run.store });
    expect((await logIn(later, { password: changed })).status).toBe(401);
    expect((await logIn(later, { password: "set by whoever runs the server" })).status).toBe(200);
    expect((await logIn(run, { password: changed })).status).toBe(200);
  });
});

test("a wrong password says how many attempts are left in this minute", async () => {
  const run = await runConsole();
  for (const left of ["9", "8", "7"]) {
    const wrong = await logIn(run, { password: "wrong" });
    expect(wrong.headers.get("x-ratelimit-remaining")).toBe(left);
  }
});
