import { expect, test } from "vitest";
import { defaultReconnectPolicy as policy } from "../../../src/client/link/recovery.ts";

const delay = (attempt: number, elapsedMs = 0): number | null => policy.nextDelayMs({ attempt, elapsedMs });

test("tries at once, then after 300 ms, then with growing delays and up to a second of jitter", () => {
  expect(delay(1)).toBe(0);
  expect(delay(2)).toBe(300);
  for (const [attempt, leastMs] of [
    [3, 1_200],
    [4, 2_700],
    [5, 4_800],
    [6, 7_000],
    [10, 7_000],
  ] as const) {
    expect(delay(attempt)).toBeGreaterThanOrEqual(leastMs);
    expect(delay(attempt)).toBeLessThan(leastMs + 1_000);
  }
});

test("gives up after its last attempt, and after a minute", () => {
  expect(delay(policy.maxAttempts)).not.toBeNull();
  expect(delay(policy.maxAttempts + 1)).toBeNull();
  expect(delay(2, 60_000)).toBeNull();
});
