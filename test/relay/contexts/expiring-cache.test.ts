import { expect, test } from "vitest";
import { ExpiringCache } from "../../../src/relay/contexts/caches.ts";

function cacheOf({ maxEntries = 10 } = {}) {
  let nowMs = 1_000;
  const cache = new ExpiringCache<string>({ ttlMs: 100, maxEntries, now: () => nowMs });
  return { cache, pass: (ms: number) => void (nowMs += ms) };
}

test("callers of the same key share one load, until the value expires", async () => {
  const { cache, pass } = cacheOf();
  let loads = 0;
  const get = () => cache.get("key", () => Promise.resolve(`value ${++loads}`));
  expect(await Promise.all([get(), get()])).toEqual(["value 1", "value 1"]);
  pass(101);
  expect(cache.has("key")).toBe(false);
  expect(await get()).toBe("value 2");
});

test("a failed load is not cached", async () => {
  const { cache } = cacheOf();
  await expect(cache.get("key", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.get("key", () => Promise.resolve("value"))).toBe("value");
});

test("keeps no more than its limit", async () => {
  const { cache } = cacheOf({ maxEntries: 2 });
  for (const key of ["one", "two", "three"]) await cache.get(key, () => Promise.resolve(key));
  expect(["one", "two", "three"].map((key) => cache.has(key))).toEqual([false, true, true]);
});
