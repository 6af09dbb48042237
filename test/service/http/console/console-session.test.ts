import { describe, expect } from "vitest";
import type { ConsoleSession } from "../../../../src/protocol/console/accounts.ts";
import { refusalOf, statusOf } from "../../answers.ts";
import { runService } from "../../service-fixture.ts";
import { putFullCatalogue } from "../full-catalogue.ts";
import {
  jsonOf,
  logIn,
  origin,
  own,
  ownerByPassword,
  password,
  passwords,
  runConsole,
  test,
} from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const settings = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

describe("logging in", () => {
  test("sets a cookie that scripts cannot read and other sites do not send", async ({ run }) => {
    const response = await logIn(run);
    const { expires_at, organization } = await jsonOf<ConsoleSession>(response);
    expect(organization.id).toBe(run.organizationId);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const [cookie = ""] = response.headers.getSetCookie();
    for (const attribute of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/api/", "Max-Age=43200"])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain(password);
  });

  test("over plain http sets it without Secure, because browsers would not store it otherwise", async () => {
    const run = await runConsole({ publicUrl: "http://localhost:8787" });
    const headers = { ...own, Origin: "http://localhost:8787" };
    const [cookie] = (await logIn(run, { password }, headers)).headers.getSetCookie();
    expect(cookie).not.toContain("Secure");
  });

  test("with a wrong password is refused, and with every password if none is set", async ({ run }) => {
    for (const left of ["9", "8", "7"]) {
      const wrong = await logIn(run, { password: "wrong" });
      expect(wrong.headers.get("x-ratelimit-remaining")).toBe(left);
      expect([wrong.status, await wrong.json()]).toMatchObject([
        401,
        { code: "A0010", status: "UNAUTHORIZED" },
      ]);
      expect(wrong.headers.getSetCookie()).toEqual([]);
    }
    expect(await statusOf(logIn(await runService()))).toBe(401);
    expect(await refusalOf(logIn(run, {}))).toEqual([400, "password required"]);
  });

  test("is limited, also with the right password", async ({ run }) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await statusOf(logIn(run, { password: "wrong" }))).toBe(401);
      // After each failure its source has to wait longer.
      run.pass(attempt < 5 ? 0 : 2 ** (attempt - 5));
    }
    const refused = await logIn(run);
    expect([refused.status, refused.headers.get("x-ratelimit-limit")]).toEqual([429, "10"]);
    run.pass(60);
    expect(await statusOf(logIn(run))).toBe(200);
  });

  test.for([{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }])(
    "is refused to another page: %j",
    async (headers, { run }) => {
      expect(await statusOf(logIn(run, { password }, { ...own, ...headers }))).toBe(403);
    },
  );
});

describe("the cookie", () => {
  test("gives access to the console's operations and the catalogues, and tells who is logged in", async ({
    run,
    browser,
  }) => {
    for (const path of [
      contexts,
      `${contexts}${run.demo.id}/`,
      `${contexts}${run.demo.id}/embed/`,
      "/api/console/b2c/form-resources/",
      "/api/console/session/",
      "/api/v1/settings/tts_type/",
      "/api/v1/background_image/",
    ]) {
      expect(await statusOf(browser.get(path)), path).toBe(200);
      expect(await statusOf(run.request(path)), path).toBe(401);
    }
  });

  test("gives no access to operations that need an API key", async ({ browser }) => {
    expect(await statusOf(browser.send("POST", "/api/v1/session/", {}))).toBe(401);
    expect(await statusOf(browser.get("/api/speech/v2/voices"))).toBe(401);
  });

  test("shows no secret of a tool server, unlike a key", async ({ run, browser }) => {
    await putFullCatalogue(run);
    for (const path of ["/api/v1/settings/mcp_type/", "/api/v1/session_template/"]) {
      expect(await (await run.get(path)).text()).toContain("Bearer canary");
      const shown = JSON.stringify(await jsonOf(browser.get(path)));
      expect(shown).toContain("https://tools.example");
      expect(shown).not.toContain("canary");
    }
  });

  test("is refused when it is forged, expired, or made for another password", async ({ run, browser }) => {
    const status = (Cookie: string, of = run) => statusOf(of.request(contexts, { headers: { Cookie } }));
    const { cookie } = browser;
    expect(await status(cookie.replace(/=[0-9a-f]/, "=g"))).toBe(401);
    expect(await status("visavis_console=a.b.c")).toBe(401);
    const operatorPasswordHash = await passwords.hash("another password");
    expect(await status(cookie, await runConsole({ operatorPasswordHash }))).toBe(401);
    run.pass(12 * 60 * 60 - 1);
    expect(await status(cookie)).toBe(200);
    run.pass(2);
    expect(await status(cookie)).toBe(401);
  });

  test("is refused after logging out, also as a copy", async ({ run, browser }) => {
    const other = await ownerByPassword(run);
    const response = await browser.send("POST", "/api/console/logout/");
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/visavis_console=;.*Max-Age=0/);
    expect([await statusOf(browser.get(contexts)), await statusOf(other.get(contexts))]).toEqual([401, 200]);
  });
});

describe("a request with the cookie that changes something", () => {
  const json = { "Content-Type": "application/json" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };

  test.for<[how: string, headers: Record<string, string>, status: number]>([
    ["from the console's page", { ...json, Origin: origin }, 201],
    ["as the browser calls it same-origin", { ...json, "Sec-Fetch-Site": "same-origin" }, 201],
    ["with a header that forms cannot send", { ...json, "X-Requested-With": "fetch", Origin: origin }, 201],
    ["without any sign of the page", json, 403],
    ["from another origin", { ...json, Origin: "https://evil.example" }, 403],
    ["from no origin", { ...json, Origin: "null" }, 403],
    ["from a sibling site", { ...json, Origin: origin, "Sec-Fetch-Site": "same-site" }, 403],
    ["as a form could send it", { ...form, Origin: origin }, 403],
  ])("%s: %j is answered with %i", async ([, given, status], { run, browser }) => {
    const headers = { Cookie: browser.cookie, ...given };
    const answer = await run.request(contexts, { method: "POST", body: JSON.stringify(settings), headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await refusalOf(answer)).toEqual([403, "- permission_denied"]);
  });

  test("needs no such checks with an API key", async ({ run, browser }) => {
    const headers = { Cookie: browser.cookie, Origin: "https://evil.example" };
    expect(await statusOf(run.send("POST", contexts, settings, headers))).toBe(201);
  });
});
