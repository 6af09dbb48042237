import { expect, it } from "vitest";
import { RefusalGuard } from "../../../src/command-line/http/refusal-guard.ts";

function guard(limit = 3) {
  const clock = { ms: 0 };
  const lines: unknown[] = [];
  return {
    clock,
    lines,
    guard: new RefusalGuard({
      limit,
      nowMs: () => clock.ms,
      log: { warn: (message, fields) => void lines.push([message, fields]) },
    }),
    refuse(address: string, times: number) {
      for (let time = 0; time < times; time++) this.guard.countRefusal(address);
    },
  };
}

it("blocks an address after more refusals than the limit, and no other address", () => {
  const tested = guard();
  tested.refuse("192.0.2.1", 3);
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
  tested.refuse("192.0.2.1", 1);
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(true);
  expect(tested.guard.isBlocked("192.0.2.2")).toBe(false);
});

it("counts only the refusals of the last ten seconds", () => {
  const tested = guard();
  for (let second = 0; second < 100; second += 5) {
    tested.clock.ms = second * 1_000;
    tested.refuse("192.0.2.1", 1);
  }
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
});

it("unblocks an address after ten seconds, and blocks it for twice as long the next time", () => {
  const tested = guard();
  tested.refuse("192.0.2.1", 4);
  tested.clock.ms = 9_999;
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(true);
  tested.clock.ms = 10_000;
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
  tested.refuse("192.0.2.1", 4);
  tested.clock.ms = 29_999;
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(true);
  tested.clock.ms = 30_000;
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
});

it("blocks for five minutes at most, and starts again with ten seconds after ten quiet minutes", () => {
  const tested = guard();
  for (let time = 0; time < 10; time++) {
    tested.refuse("192.0.2.1", 4);
    tested.clock.ms += 300_000;
    expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
  }
  tested.clock.ms += 700_000;
  tested.refuse("192.0.2.2", 1);
  tested.refuse("192.0.2.1", 4);
  tested.clock.ms += 10_000;
  expect(tested.guard.isBlocked("192.0.2.1")).toBe(false);
});

it("counts IPv6 addresses by their /64", () => {
  const tested = guard();
  for (let host = 1; host <= 4; host++) tested.refuse(`2001:db8::${host}`, 1);
  expect(tested.guard.isBlocked("2001:db8::9")).toBe(true);
  expect(tested.guard.isBlocked("2001:db8:0:1::9")).toBe(false);
});

it("logs once per block which address is blocked, and what to set if it is a proxy", () => {
  const tested = guard();
  tested.refuse("192.0.2.1", 40);
  expect(tested.lines).toEqual([
    [expect.stringContaining("set VISAVIS_TRUSTED_PROXIES"), { address: "192.0.2.1", seconds: 10 }],
  ]);
});
