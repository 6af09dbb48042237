import { expect, test } from "vitest";
import type { Health, QuotaUse, Retention } from "../../../../src/protocol/console/settings.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";

test("quotas are shown with what is used, and an owner changes them", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  await run.newSession();
  expect(await jsonOf<QuotaUse>(browser.get("/api/console/quotas/"))).toMatchObject({
    active_sessions: 1,
    month: "2026-01",
  });
  const changed = await jsonOf<QuotaUse>(
    browser.send("PUT", "/api/console/quotas/", {
      max_active_sessions: 7,
      max_session_min: 30,
      max_month_min: null,
    }),
  );
  expect(changed).toMatchObject({ max_active_sessions: 7, max_month_min: null });
  expect((await browser.send("PUT", "/api/console/quotas/", { max_active_sessions: -1 })).status).toBe(400);
});

test("retention is set for all avatars at once, and counts what is kept", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const set = await jsonOf<Retention>(browser.send("PUT", "/api/console/retention/", { retention_days: 14 }));
  expect(set).toMatchObject({
    contexts: expect.arrayContaining([
      { id: run.demo.id, name: run.demo.name, retention_days: 14 },
    ]) as unknown,
    conversations: 0,
    conversations_with_words: 0,
  });
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  await run.event(session, "SESSION_START");
  await expect
    .poll(
      async () => (await jsonOf<Retention>(browser.get("/api/console/retention/"))).conversations_with_words,
    )
    .toBe(1);
  const gone = await jsonOf<Retention>(browser.send("PUT", "/api/console/retention/", { retention_days: 0 }));
  expect(new Set(gone.contexts.map((context) => context.retention_days))).toEqual(new Set([0]));
  const unknown = { retention_days: 1, contexts: ["unknown"] };
  expect((await browser.send("PUT", "/api/console/retention/", unknown)).status).toBe(404);
});

test("health names the version, the database, media processes, the disk and the metrics", async () => {
  const health = await jsonOf<Health>((await owner(await runConsole())).get("/api/console/health/"));
  expect(health).toMatchObject({
    server: { version: "1.2.3", node: process.versions.node },
    database: { is_working: true, kind: "embedded" },
    media: { running: 1, wanted: 1, sessions: 0 },
    metrics_url: "https://relay.example/metrics",
  });
  expect(health.disk?.total_bytes).toBeGreaterThan(0);
});
