import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openStorage, type Storage } from "../../../../src/service/store/open-storage.ts";
import { silentLog, temporaryFolder } from "../../service-fixture.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The database as another process would open it. */
async function open(): Promise<Storage> {
  const storage = await openStorage({ dataFolder: folder, databaseUrl: undefined }, silentLog);
  onTestFinished(() => storage.close());
  return storage;
}

const write = ({ store }: Storage, id: string) =>
  store.organizations.insert({ id, name: id, createdAtMs: 1 });

test("a write of another process gives one notice; own writes give none", async () => {
  const [one, other] = [await open(), await open()];
  const heard: (string | null)[] = [];
  one.notices.subscribe((sessionId) => heard.push(sessionId));
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
  const [one, other] = [await open(), await open()];
  const timers = vi.getTimerCount();
  const heard: (string | null)[] = [];
  const unsubscribe = one.notices.subscribe((sessionId) => heard.push(sessionId));
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
