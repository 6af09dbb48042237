import { expect, test } from "vitest";
import type { ApiKeyInConsole } from "../../../../src/protocol/console/api-keys.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";

const keys = "/api/console/api-keys/";

test("a key is shown once, works until it is revoked, and is in no list and no log", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const made = await jsonOf<ApiKeyInConsole & { key: string }>(
    browser.send("POST", keys, { name: "Press kit" }),
  );
  expect(made).toMatchObject({ name: "Press kit", status: "active", at: null });
  const use = async () =>
    (await run.request("/api/v1/prompt/", { headers: { "ServicePlatform-APIKey": made.key } })).status;
  expect(await use()).toBe(200);
  const list = await browser.get(keys);
  const log = await browser.get("/api/console/audit-log/");
  expect((await list.text()) + (await log.text())).not.toContain(made.key);
  expect((await browser.send("DELETE", `${keys}${made.id}/`)).status).toBe(204);
  expect(await use()).toBe(401);
  const [, revoked] = await jsonOf<ApiKeyInConsole[]>(browser.get(keys));
  expect(revoked).toMatchObject({ id: made.id, status: "revoked", at: "2026-01-01T00:00:00.000Z" });
});

test("a key may expire, not in the past", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const make = (expiry: string) => browser.send("POST", keys, { name: "Job", expires_at: expiry });
  expect(await jsonOf(make("2026-02-01T00:00:00Z"))).toMatchObject({ at: "2026-02-01T00:00:00.000Z" });
  const past = await make("2025-12-31T00:00:00Z");
  expect(past.status).toBe(400);
  expect(await past.json()).toMatchObject({ errors: [{ attr: "expires_at" }] });
  expect((await browser.send("DELETE", `${keys}none/`)).status).toBe(404);
});
