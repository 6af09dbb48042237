import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresNotices } from "../../../../src/service/store/processes/postgres-notices.ts";
import { openPostgresStore } from "../../../../src/service/store/database/postgres-store.ts";
import { silentLog } from "../../service-fixture.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../postgres-server.ts";

describe.skipIf(!hasPostgres)("notices over Postgres [needs PostgreSQL]", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.remove());

  async function listener(url: string) {
    const { store, pool } = await openPostgresStore(url, silentLog);
    const notices = await openPostgresNotices(url, pool, silentLog);
    const heard: (string | null)[] = [];
    const unsubscribe = notices.subscribe((sessionId) => heard.push(sessionId));
    onTestFinished(async () => {
      await notices.close();
      await store.close();
    });
    return { notices, heard, unsubscribe };
  }

  test("reach every process with the same database, until it stops listening", async () => {
    const url = await server.newDatabase();
    const [one, other] = [await listener(url), await listener(url)];
    const stranger = await listener(await server.newDatabase());
    one.notices.publish("first");
    await expect.poll(() => [one.heard, other.heard]).toEqual([["first"], ["first"]]);
    other.unsubscribe();
    one.notices.publish("second");
    await expect.poll(() => one.heard).toEqual(["first", "second"]);
    expect(other.heard).toEqual(["first"]);
    expect(stranger.heard).toEqual([]);
  });

  test("arrive again after the database was down", async () => {
    const url = await server.newDatabase();
    const [one, other] = [await listener(url), await listener(url)];
    await server.stop();
    one.notices.publish("lost");
    await server.start();
    await expect
      .poll(() => {
        one.notices.publish("again");
        return other.heard;
      })
      .toContain("again");
    expect(other.heard).not.toContain("lost");
  });
});
