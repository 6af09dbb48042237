import { expect, test } from "vitest";
import { RelayError } from "../../../src/relay/relay-error.ts";
import { StaleCache } from "../../../src/relay/contexts/caches.ts";

/** A cache over a service that can be switched off and that counts its calls. */
function cacheOverService() {
  let nowMs = 0;
  let isAway = false;
  let asked = 0;
  const cache = new StaleCache<string>({
    freshMs: 1_000,
    staleMs: 600_000,
    maxEntries: 10,
    now: () => nowMs,
  });
  return {
    get: () =>
      cache.get("key", () => {
        asked += 1;
        return isAway ? Promise.reject(RelayError.engineFailed(503, "Away.")) : Promise.resolve("value");
      }),
    pass: (ms: number) => void (nowMs += ms),
    setAway: (away: boolean) => void (isAway = away),
    asked: () => asked,
  };
}

test("calls a failing service every five seconds while an old value is served", async () => {
  const service = cacheOverService();
  await service.get();
  service.setAway(true);
  service.pass(2_000);
  for (let count = 0; count < 10; count += 1) {
    expect(await service.get()).toBe("value");
    service.pass(400);
  }
  expect(service.asked()).toBe(2);
});

test("calls a service that is back within a second when there is no old value", async () => {
  const service = cacheOverService();
  service.setAway(true);
  await expect(service.get()).rejects.toThrow("Away.");
  await expect(service.get()).rejects.toThrow("Away.");
  expect(service.asked()).toBe(1);
  service.setAway(false);
  service.pass(500);
  expect(await service.get()).toBe("value");
});
