import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noticesTo, TimeLeft } from "../../../src/client/care/session-care.ts";
import type { SessionEvents } from "../../../src/client/session-events.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";

let told: (number | null)[];
let overs: number;
let left: TimeLeft;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  overs = 0;
  left = new TimeLeft({ tell: (leftSec) => told.push(leftSec), over: () => overs++ });
});

afterEach(() => {
  left.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const pass = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1_000);

/** The service's answers, every 10 s until the end. */
function beat(fromSec: number): void {
  for (let leftSec = fromSec; leftSec >= 0; leftSec -= 10) {
    left.take(leftSec);
    pass(10);
  }
}

test("tells at 60 s for 10 s, and at 15 s until the end, each once", () => {
  beat(120);
  expect(told).toEqual([60, null, 15]);
});

test("asks the service when the time is over, and again while it says nothing", () => {
  left.take(20);
  pass(19);
  expect(overs).toBe(0);
  pass(1);
  expect(overs).toBe(1);
  pass(2);
  expect(overs).toBe(3);
});

test("a session that begins or goes on with less says what is left", () => {
  left.take(42);
  expect(told).toEqual([42]);
  left.take(9);
  expect(told).toEqual([42, 9]);
});

test("an answer that is a little early tells nothing again; a limit that was raised takes the notice back", () => {
  left.take(60);
  left.take(60.5);
  expect(told).toEqual([60]);
  left.take(600);
  expect(told).toEqual([60, null]);
  left.take(14);
  left.take(undefined);
  expect(told).toEqual([60, null, 14, null]);
});

test("an answer that arrives late counts from when it was asked for, and takes no notice back", () => {
  left.take(30);
  const askedAtMs = performance.now();
  pass(16);
  left.take(30, askedAtMs);
  expect(told).toEqual([30, null, 15]);
});

test("without a limit, or with one of years, nothing is told", () => {
  left.take(undefined);
  left.take(2_147_483_647);
  pass(86_400);
  expect([told, overs]).toEqual([[], 0]);
});

test("of two notices the one is shown about which the visitor can do something", () => {
  const events = new TypedEvents<SessionEvents>();
  const shown: unknown[] = [];
  events.on("endnotice", ({ notice }) => shown.push(notice));
  const tell = noticesTo(events);
  for (const [kind, leftSec] of [
    ["time", 60],
    ["idle", 20],
    ["time", 40],
    ["idle", null],
    ["time", null],
  ] as const)
    tell(kind, leftSec);
  expect(shown).toEqual([
    { kind: "time", leftSec: 60 },
    { kind: "idle", leftSec: 20 },
    { kind: "idle", leftSec: 20 },
    { kind: "time", leftSec: 40 },
    null,
  ]);
});
