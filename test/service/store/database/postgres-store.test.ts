import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/service/clock.ts";
import type { Logger } from "../../../../src/logging/logger.ts";
import { openPostgresStore } from "../../../../src/service/store/database/postgres-store.ts";
import { seed } from "../../../../src/service/store/seed/seed.ts";
import { apiKey, runService, silentLog } from "../../service-fixture.ts";
import { insertSessions, session } from "../backends.ts";
import { hasPostgres, postgresForTests } from "../postgres-server.ts";
import { freePort } from "../../../free-port.ts";

describe.skipIf(!hasPostgres)("a store in Postgres [needs PostgreSQL]", () => {
  const server = postgresForTests();

  async function open(url: string, log: Logger = silentLog) {
    const opened = await openPostgresStore(url, log);
    onTestFinished(() => opened.store.close());
    return opened;
  }

  async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  }

  test("processes that start at once create its tables and seed it once", async () => {
    const url = await server.newDatabase();
    const stores = await Promise.all([1, 2, 3, 4].map(async () => (await open(url)).store));
    const options = { clock: systemClock, demoInstructions: "We sell chairs.", apiKey };
    await Promise.all(stores.map((store) => seed({ store, ...options })));
    expect(await query(url, "select count(*)::int as count from organization")).toEqual([{ count: 1 }]);
    const { id } = (await stores[0]!.organizations.first())!;
    expect(await stores[1]!.contexts.list(id)).toHaveLength(4);
    expect(await stores[2]!.apiKeys.list(id)).toHaveLength(1);
  });

  test("when several processes end the same sessions, each end is saved and counted once", async () => {
    const url = await server.newStore();
    const stores = await Promise.all([1, 2, 3].map(async () => (await open(url)).store));
    const [first] = stores;
    await first!.organizations.insert({ id: "org", name: "Organization", createdAtMs: 1 });
    const ids = Array.from({ length: 50 }, (_, index) => `session ${index}`);
    await insertSessions(first!, Object.fromEntries(ids.map((id) => [id, 5])));
    expect((await first!.organizations.usage("org", "2026-01")).activeSessions).toBe(50);
    const ends = stores.flatMap((store, place) =>
      // In opposite orders, so that transactions overlap.
      (place === 1 ? ids.toReversed() : ids).map((id) =>
        store.sessions.replace({ ...session(id, null), revision: 1 }, { place: "freed" }),
      ),
    );
    const saved = (await Promise.all(ends)).filter((outcome) => outcome === "saved");
    expect(saved).toHaveLength(50);
    expect((await first!.organizations.usage("org", "2026-01")).activeSessions).toBe(0);
  });

  test("concurrent changes of many sessions are saved once per revision", async () => {
    const { store } = await open(await server.newStore());
    await store.organizations.insert({ id: "org", name: "Organization", createdAtMs: 1 });
    const ids = Array.from({ length: 50 }, (_, index) => `session ${index}`);
    await insertSessions(store, Object.fromEntries(ids.map((id) => [id, 5])));
    const seenAt = (id: string, lastSeenAtMs: number) =>
      store.sessions.replace({ ...session(id, 5, { lastSeenAtMs }), revision: 1 });
    const outcomes = await Promise.all(
      ids.map((id, index) => Promise.all([seenAt(id, 100 + index), seenAt(id, 200 + index)])),
    );
    for (const [index, id] of ids.entries()) {
      expect(outcomes[index]!.toSorted()).toEqual(["saved", "stale"]);
      const savedMs = outcomes[index]![0] === "saved" ? 100 + index : 200 + index;
      const saved = await store.sessions.byId(id);
      expect(saved).toMatchObject({ revision: 1, state: { lastSeenAtMs: savedMs, endedAtMs: null } });
    }
  });

  test("a store of a newer version is refused", async () => {
    const url = await server.newStore();
    await open(url);
    await query(url, "update migration set steps_done = 999");
    await expect(openPostgresStore(url, silentLog)).rejects.toThrow(/newer version/);
  });

  test("the error about a database that is down does not contain the password", async () => {
    const url = `postgres://visavis:secret-word@127.0.0.1:${await freePort()}/visavis`;
    const { message } = (await openPostgresStore(url, silentLog).catch(
      (reason: unknown) => reason as Error,
    )) as Error;
    expect(message).toMatch(/DATABASE_URL cannot be used: .*ECONNREFUSED/);
    expect(message).not.toContain("secret-word");
  });

  test("NUL in texts is replaced", async () => {
    const { store } = await open(await server.newStore());
    await seed({ store, clock: systemClock, demoInstructions: "", apiKey });
    const { id } = (await store.organizations.first())!;
    const demo = (await store.contexts.byContextId(id, "ctx_demo"))!;
    const replaced = await store.contexts.replace(id, demo.id, { ...demo, greeting: "a\0b" }, 6);
    expect(replaced?.greeting).toBe("a\ufffdb");
    expect(await store.catalogue.find("prompt", id, "\0")).toBeNull();
  });

  test("while the database is down the service is not ready and logs one warning; then it continues", async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const { store, files } = await open(await server.newStore(), log);
    const run = await runService({ store, files });
    expect((await run.get("/readyz")).status).toBe(200);
    const sessionId = await run.newSession();
    // Several connections, so that several break.
    await Promise.all([1, 2, 3, 4].map(() => run.status(sessionId)));
    await server.stop();
    expect((await run.get("/readyz")).status).toBe(503);
    expect((await run.get("/healthz")).status).toBe(200);
    const failed = await run.get(`/api/v1/session/${sessionId}/`);
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toMatch(/ECONNREFUSED|postgres|terminat/i);
    await server.start();
    expect((await run.get("/readyz")).status).toBe(200);
    expect((await run.status(sessionId)).status).toBe("CREATED");
    expect(warnings).toEqual(["database connection lost"]);
  });
});
