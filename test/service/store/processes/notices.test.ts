import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore } from "../../../../src/service/store/database/postgres-store.ts";
import { openStorage, type Storage } from "../../../../src/service/store/open-storage.ts";
import { openPostgresNotices } from "../../../../src/service/store/processes/postgres-notices.ts";
import { silentLog, temporaryFolder } from "../../service-fixture.ts";
import { hasPostgres, postgresForTests } from "../postgres-server.ts";

describe("notices over SQLite", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  /** A database as two processes would open it, and what the first of them hears. */
  async function twoProcesses() {
    const place = { dataFolder: temporaryFolder(), databaseUrl: undefined };
    const open = async (): Promise<Storage> => {
      const storage = await openStorage(place, silentLog);
      onTestFinished(() => storage.close());
      return storage;
    };
    const [one, other] = [await open(), await open()];
    const timers = vi.getTimerCount();
    const heard: (string | null)[] = [];
    const unsubscribe = one.notices.subscribe((sessionId) => heard.push(sessionId));
    return { one, other, timers, heard, unsubscribe };
  }

  const write = ({ store }: Storage, id: string) =>
    store.organizations.insert({ id, name: id, createdAtMs: 1 });

  test("a write of another process gives one notice; own writes give none", async () => {
    const { one, other, heard } = await twoProcesses();
    await write(one, "own");
    vi.advanceTimersByTime(1_000);
    expect(heard).toEqual([]);
    await write(other, "foreign");
    vi.advanceTimersByTime(250);
    expect(heard).toEqual([null]);
    vi.advanceTimersByTime(1_000);
    expect(heard).toEqual([null]);
  });

  test("own notices arrive at once, and nothing is polled after listening has stopped", async () => {
    const { one, other, timers, heard, unsubscribe } = await twoProcesses();
    expect(vi.getTimerCount()).toBe(timers + 1);
    one.notices.publish("session");
    expect(heard).toEqual(["session"]);
    unsubscribe();
    expect(vi.getTimerCount()).toBe(timers);
    one.notices.publish("session");
    await write(other, "foreign");
    vi.advanceTimersByTime(1_000);
    expect(heard).toEqual(["session"]);
  });
});

describe.skipIf(!hasPostgres)("notices over Postgres [needs PostgreSQL]", () => {
  const server = postgresForTests();

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

  test("reach every process with the same database, until it stops listening, also after it was down", async () => {
    const url = await server.newDatabase();
    const [one, other] = [await listener(url), await listener(url)];
    const stranger = await listener(await server.newDatabase());
    one.notices.publish("first");
    await expect.poll(() => [one.heard, other.heard]).toEqual([["first"], ["first"]]);
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
    other.unsubscribe();
    one.notices.publish("last");
    await expect.poll(() => one.heard).toContain("last");
    expect(other.heard).not.toContain("last");
    expect(stranger.heard).toEqual([]);
  });
});
