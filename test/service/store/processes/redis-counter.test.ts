import { execFileSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Counter } from "../../../../src/protocol/counter.ts";
import { MemoryCounter } from "../../../../src/relay/limits/memory-counter.ts";
import { openRedisCounter } from "../../../../src/service/store/processes/redis-counter.ts";
import { silentLog } from "../../service-fixture.ts";
import { hasRedis, startRedis, type RedisServer } from "../redis-server.ts";
import { freePort } from "../../../free-port.ts";

let server: RedisServer | undefined;

beforeAll(async () => {
  if (hasRedis) server = await startRedis();
});

afterAll(() => server?.remove());

const minuteMs = 60_000;

let databases = 0;
/** The address of a database of its own: counters know of each other by their database. */
const ownDatabase = (): string => `${server!.url}/${++databases}`;

/** `answerTimeoutMs`: longer than the service's own, which a busy machine exceeds. */
async function openCounter(url = server!.url, lines: string[] = [], answerTimeoutMs = 30_000) {
  const note = (message: string): void => void lines.push(message);
  const log = { ...silentLog, info: note, warn: note };
  const counter = await openRedisCounter({ url, fallback: new MemoryCounter(), log, answerTimeoutMs });
  onTestFinished(() => counter.close());
  return counter;
}

/** Resolves when the condition holds. */
const until = (holds: () => Promise<boolean>): Promise<void> => expect.poll(holds).toBe(true);

const backends: { name: string; isThere: boolean; open(): Counter | Promise<Counter> }[] = [
  { name: "memory", isThere: true, open: () => new MemoryCounter() },
  { name: "Redis", isThere: hasRedis, open: () => openCounter() },
];

let keys = 0;
const newKey = (): string => `test:${++keys}`;

for (const backend of backends)
  describe.skipIf(!backend.isThere)(`counting in ${backend.name} [needs ${backend.name}]`, () => {
    let counter: Counter;
    let key: string;
    beforeEach(async () => {
      counter = await backend.open();
      key = newKey();
    });

    test("a window sums its amounts, keeps its end, and is independent of other keys", async () => {
      const before = Date.now();
      const first = await counter.add(key, 2, minuteMs);
      const second = await counter.add(key, 0.5, 2 * minuteMs);
      expect([first.total, second.total]).toEqual([2, 2.5]);
      expect(Math.abs(first.resetAtMs - before - minuteMs)).toBeLessThan(minuteMs / 2);
      expect(Math.abs(second.resetAtMs - first.resetAtMs)).toBeLessThan(minuteMs / 2);
      expect((await counter.add(key, 0, minuteMs)).total).toBe(2.5);
      expect((await counter.add(key, -2, minuteMs)).total).toBe(0.5);
      expect((await counter.add(newKey(), 1, minuteMs)).total).toBe(1);
    });

    test("concurrent additions are all counted", async () => {
      const totals = await Promise.all(Array.from({ length: 100 }, () => counter.add(key, 1, minuteMs)));
      expect(new Set(totals.map(({ total }) => total)).size).toBe(100);
    });

    test("after a window has ended, a new one begins", async () => {
      await counter.add(key, 5, 40);
      await until(async () => (await counter.add(key, 0, 40)).total === 0);
    });

    test("places are limited, renewed by their holders, and released", async () => {
      const hold = (holder: string, limit = 2) => counter.hold(key, holder, limit, minuteMs);
      const held = [await hold("a"), await hold("b"), await hold("c"), await hold("a")];
      expect(held).toEqual([true, true, false, true]);
      expect(await counter.release(key, "b")).toBe(true);
      expect(await hold("c")).toBe(true);
      expect(await hold("d", Infinity)).toBe(true);
      expect(await counter.release(key, "b")).toBe(false);
    });

    test("holders are listed in the order in which their places expire", async () => {
      for (const [holder, ttlMs] of Object.entries({ c: 30_000, a: 10_000, b: 20_000, d: 90_000 }))
        await counter.hold(key, holder, Infinity, ttlMs);
      expect(await counter.holders(key, minuteMs, 10)).toEqual(["a", "b", "c"]);
      expect(await counter.holders(key, minuteMs, 2)).toEqual(["a", "b"]);
      await counter.hold(key, "a", Infinity, 40_000);
      expect(await counter.holders(key, minuteMs, 10)).toEqual(["b", "c", "a"]);
      expect(await counter.holders(newKey(), minuteMs, 10)).toEqual([]);
    });

    test("a mark only rises, and returns by how much", async () => {
      const rises = [];
      for (const value of [10, 10, 4, 12.5, 12.5]) rises.push(await counter.raise(key, value, minuteMs));
      expect(rises).toEqual([10, 0, 0, 2.5, 0]);
      const atOnce = await Promise.all(Array.from({ length: 20 }, () => counter.raise(key, 20, minuteMs)));
      expect(atOnce.reduce((sum, rise) => sum + rise)).toBe(7.5);
      const passing = newKey();
      await counter.raise(passing, 5, 40);
      await until(async () => (await counter.raise(passing, 5, 40)) === 5);
    });

    test("concurrent holders get no more places than the limit", async () => {
      const held = await Promise.all(
        Array.from({ length: 20 }, (_, index) => counter.hold(key, `holder-${index}`, 7, minuteMs)),
      );
      expect(held.filter(Boolean)).toHaveLength(7);
    });

    test("a place that is not renewed expires, and others stay", async () => {
      expect(await counter.hold(key, "long", 2, minuteMs)).toBe(true);
      expect(await counter.hold(key, "short", 2, 40)).toBe(true);
      await until(() => counter.hold(key, "next", 2, minuteMs));
      expect(await counter.hold(key, "one more", 2, minuteMs)).toBe(false);
    });
  });

describe.skipIf(!hasRedis)("a counter in Redis [needs Redis]", () => {
  test("is shared by everything that opens it", async () => {
    const counters = await Promise.all([openCounter(), openCounter(), openCounter()]);
    const key = newKey();
    for (const counter of counters) await counter.add(key, 1, minuteMs);
    expect((await counters[0].add(key, 0, minuteMs)).total).toBe(3);
    const held = [];
    for (const [index, counter] of counters.entries())
      held.push(await counter.hold(`${key}:places`, `holder-${index}`, 2, minuteMs));
    expect(held).toEqual([true, true, false]);
  });

  test("counts in the process while Redis is down, warns once, and uses Redis again later", async () => {
    const lines: string[] = [];
    const counter = await openCounter(ownDatabase(), lines);
    const key = newKey();
    await counter.add(key, 10, minuteMs);
    await server!.stop();
    expect((await counter.add(key, 1, minuteMs)).total).toBe(1);
    expect((await counter.add(key, 1, minuteMs)).total).toBe(2);
    expect(await counter.hold(key, "a", 1, minuteMs)).toBe(true);
    expect(await counter.hold(key, "b", 1, minuteMs)).toBe(false);
    await counter.release(key, "a");
    await server!.start();
    await until(async () => {
      await counter.add(key, 1, minuteMs);
      return lines.length > 1;
    });
    expect(lines).toEqual(["redis does not answer; each process counts for itself", "redis answers again"]);
  });

  test("a Redis that hangs delays a request only briefly", async () => {
    const lines: string[] = [];
    const counter = await openCounter(ownDatabase(), lines, 3_000);
    const key = newKey();
    await counter.add(key, 10, minuteMs);
    server!.hang();
    try {
      expect((await counter.add(newKey(), 1, minuteMs)).total).toBe(1);
      expect(lines, "a single late answer is no outage").toEqual([]);
      for (let count = 1; count <= 5; count++)
        expect((await counter.add(key, 1, minuteMs)).total).toBe(count);
    } finally {
      server!.wake();
    }
    expect(lines).toEqual(["redis does not answer; each process counts for itself"]);
    await until(async () => (await counter.add(key, 0, minuteMs)).total >= 10);
  });

  test("while Redis is down, each process grants its share of a limit, and one at least", async () => {
    const url = ownDatabase();
    await openCounter(url);
    const counter = await openCounter(url);
    const key = newKey();
    await server!.stop();
    const add = async (amount: number) => (await counter.add(key, amount, minuteMs)).total;
    expect([await add(1), await add(1), await add(1), await add(-1)]).toEqual([1, 3, 5, 3]);
    // What was counted before is taken back: it leaves no credit.
    expect([await add(-3), await add(1)]).toEqual([0, 1]);
    const held = [];
    for (const holder of ["a", "b", "c"]) held.push(await counter.hold(key, holder, 4, minuteMs));
    expect(held).toEqual([true, true, false]);
    expect(await counter.hold(newKey(), "a", 1, minuteMs)).toBe(true);
    expect(await counter.hold(newKey(), "a", 0, minuteMs)).toBe(false);
    await server!.start();
  });

  test("an answer that came while this process was busy is no outage", async () => {
    const lines: string[] = [];
    const [url, port] = [ownDatabase(), new URL(server!.url).port];
    const [calm, counter] = [await openCounter(url), await openCounter(url, lines, 100)];
    const key = newKey();
    await calm.add(key, 10, minuteMs);
    const startedAtMs = performance.now();
    const counted = counter.add(key, 1, minuteMs);
    // The command is written in the next turns.
    for (let turns = 0; turns < 3; turns++) await setImmediate();
    const inRedis = () =>
      execFileSync("redis-cli", ["-p", port, "-n", String(databases), "get", `visavis:${key}`], {
        encoding: "utf8",
      });
    while (inRedis() !== "11\n" || performance.now() < startedAtMs + 300);
    expect((await counted).total).toBe(11);
    expect(lines).toEqual([]);
  });

  test("can be opened while Redis is down", async () => {
    const lines: string[] = [];
    const counter = await openCounter(`redis://127.0.0.1:${await freePort()}`, lines, 500);
    expect((await counter.add("key", 1, minuteMs)).total).toBe(1);
    expect(lines).toEqual(["redis does not answer; each process counts for itself"]);
  });
});
