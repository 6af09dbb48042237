import { describe, expect, test } from "vitest";
import { consoleSessionSchema } from "../../../../src/protocol/console/accounts.ts";
import { authErrorBodySchema, errorBodySchema } from "../../../../src/protocol/schema/error-body.ts";
import { mcpServerSchema } from "../../../../src/protocol/catalogue.ts";
import type { SessionTemplateRecord } from "../../../../src/protocol/session/session-template.ts";
import { namesNothing } from "../../../../src/service/administration/catalogue/catalogue-table.ts";
import { type RunningService, runService } from "../../service-fixture.ts";
import { putToolServer } from "../tool-server.ts";
import { logIn, origin, own, ownerByPassword, password, runConsole, passwords } from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";

/** The cookie of a login, as a browser sends it back. */
async function cookieOf(run: RunningService): Promise<string> {
  return (await ownerByPassword(run)).cookie;
}

const emptyTemplate: SessionTemplateRecord = {
  sessiontemplate_id: "t1",
  name: "Orders",
  description: "",
  created_at: "2026-01-01T00:00:00.000Z",
  last_used_at: null,
  capability: ["LLM"],
  ...namesNothing,
  mcp_servers: [],
  padding_left: 0,
  padding_top: 0,
  padding_height: 1,
  extra_data: null,
};

const body = JSON.stringify({ name: "Shop", tts_type: "visavis-slt", model_style: "mina" });

describe("logging in", () => {
  test("sets a cookie that scripts cannot read and other sites do not send", async () => {
    const run = await runConsole();
    const response = await logIn(run, { password });
    const { expires_at, organization } = consoleSessionSchema.parse(await response.json());
    expect(organization.id).toBe(run.organizationId);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const [cookie = ""] = response.headers.getSetCookie();
    for (const attribute of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/api/", "Max-Age=43200"])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain(password);
  });

  test("over plain http the cookie is sent without Secure, because browsers would not store it otherwise", async () => {
    const run = await runConsole({ publicUrl: "http://localhost:8787" });
    const headers = { ...own, Origin: "http://localhost:8787" };
    const [cookie] = (await logIn(run, { password }, headers)).headers.getSetCookie();
    expect(cookie).not.toContain("Secure");
  });

  test("a wrong password is refused, and every password if none is set", async () => {
    const run = await runConsole();
    const wrong = await logIn(run, { password: "wrong" });
    expect(wrong.status).toBe(401);
    expect(authErrorBodySchema.parse(await wrong.json())).toMatchObject({
      code: "A0010",
      status: "UNAUTHORIZED",
    });
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const without = await runService();
    expect((await logIn(without, { password })).status).toBe(401);
    const missing = errorBodySchema.parse(await (await logIn(run, {})).json());
    expect(missing.errors[0]).toMatchObject({ attr: "password", code: "required" });
  });

  test("attempts are limited, also with the right password", async () => {
    const run = await runConsole();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await logIn(run, { password: "wrong" })).status).toBe(401);
      // After each failure its source has to wait longer.
      run.pass(attempt < 5 ? 0 : 2 ** (attempt - 5));
    }
    const refused = await logIn(run, { password });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("10");
    run.pass(60);
    expect((await logIn(run, { password })).status).toBe(200);
  });

  test("no other page can log the operator in", async () => {
    const run = await runConsole();
    const foreign = { ...own, Origin: "https://evil.example" };
    expect((await logIn(run, { password }, foreign)).status).toBe(403);
    expect((await logIn(run, { password }, { ...own, "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});

describe("the cookie", () => {
  test("gives access to the console's operations and the catalogues, and tells who is logged in", async () => {
    const run = await runConsole();
    const Cookie = await cookieOf(run);
    const paths = [
      contexts,
      `${contexts}${run.demo.id}/`,
      `${contexts}${run.demo.id}/embed/`,
      "/api/console/b2c/form-resources/",
      "/api/console/session/",
      "/api/v1/settings/tts_type/",
      "/api/v1/background_image/",
    ];
    for (const path of paths) {
      expect((await run.request(path, { headers: { Cookie } })).status, path).toBe(200);
      expect((await run.request(path)).status, path).toBe(401);
    }
  });

  test("gives no access to operations that need an API key", async () => {
    const run = await runConsole();
    const headers = { Cookie: await cookieOf(run), ...own };
    const create = await run.request("/api/v1/session/", { method: "POST", body: "{}", headers });
    expect(create.status).toBe(401);
    expect((await run.request("/api/speech/v2/voices", { headers })).status).toBe(401);
  });

  test("shows no secret of a tool server, unlike a key", async () => {
    const run = await runConsole();
    await putToolServer(run);
    const path = "/api/v1/settings/mcp_type/";
    const [keyed] = (await (await run.get(path)).json()) as unknown[];
    expect(mcpServerSchema.parse(keyed).auth_header).toBe("Bearer canary");
    const templates = "/api/v1/session_template/";
    await run.store.catalogue.put({
      kind: "session_template",
      id: "t1",
      name: "Orders",
      organizationId: run.organizationId,
      createdAtMs: 0,
      body: { ...emptyTemplate, mcp_servers: ["orders"] },
    });
    expect(await (await run.get(templates)).text()).toContain("canary");
    const Cookie = await cookieOf(run);
    for (const list of [path, templates]) {
      const response = await run.request(list, { headers: { Cookie } });
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain("https://tools.example");
      expect(text).not.toContain("canary");
    }
  });

  test("is refused when it is forged, expired, or made for another password", async () => {
    const run = await runConsole();
    const Cookie = await cookieOf(run);
    const status = async (cookie: string, of = run) =>
      (await of.request(contexts, { headers: { Cookie: cookie } })).status;
    expect(await status(Cookie.replace(/=[0-9a-f]/, "=g"))).toBe(401);
    expect(await status("visavis_console=a.b.c")).toBe(401);
    const changed = await runConsole({ operatorPasswordHash: await passwords.hash("another password") });
    expect(await status(Cookie, changed)).toBe(401);
    run.pass(12 * 60 * 60 - 1);
    expect(await status(Cookie)).toBe(200);
    run.pass(2);
    expect(await status(Cookie)).toBe(401);
  });

  test("is refused after logging out, also as a copy", async () => {
    const run = await runConsole();
    const Cookie = await cookieOf(run);
    const other = await cookieOf(run);
    const response = await run.request("/api/console/logout/", {
      method: "POST",
      headers: { Cookie, ...own },
    });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/visavis_console=;.*Max-Age=0/);
    expect((await run.request(contexts, { headers: { Cookie } })).status).toBe(401);
    expect((await run.request(contexts, { headers: { Cookie: other } })).status).toBe(200);
  });
});

describe("requests with the cookie that change something", () => {
  const json = { "Content-Type": "application/json" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const ajax = { "X-Requested-With": "fetch" };

  test.each<[string, Record<string, string>, number]>([
    ["from the console's page", { ...json, Origin: origin }, 201],
    ["as the browser calls it same-origin", { ...json, "Sec-Fetch-Site": "same-origin" }, 201],
    ["with a header that forms cannot send", { ...json, ...ajax, Origin: origin }, 201],
    ["without any sign of the page", json, 403],
    ["from another origin", { ...json, Origin: "https://evil.example" }, 403],
    ["from no origin", { ...json, Origin: "null" }, 403],
    ["from a sibling site", { ...json, Origin: origin, "Sec-Fetch-Site": "same-site" }, 403],
    ["as a form could send it", { ...form, Origin: origin }, 403],
  ])("%s", async (_, headers, status) => {
    const run = await runConsole();
    const Cookie = await cookieOf(run);
    const response = await run.request(contexts, { method: "POST", body, headers: { Cookie, ...headers } });
    expect(response.status).toBe(status);
    if (status === 403)
      expect(errorBodySchema.parse(await response.json()).errors[0]?.code).toBe("permission_denied");
  });

  test("need no such checks with an API key", async () => {
    const run = await runConsole();
    const headers = { Cookie: await cookieOf(run), Origin: "https://evil.example" };
    expect((await run.send("POST", contexts, JSON.parse(body), headers)).status).toBe(201);
  });
});
