import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nextSessionState,
  sessionDeadlineMs,
  sessionDurationSec,
} from "../../../src/service/sessions/session-machine.ts";
import type { SessionState, SessionTrigger } from "../../../src/service/sessions/session-machine.ts";

const policy = { connectWithinSec: 60, lostAfterSec: 30 };
const created: SessionState = {
  status: "CREATED",
  terminationReason: null,
  createdAtMs: 0,
  inProgressAtMs: null,
  lastSeenAtMs: 0,
  endedAtMs: null,
  maxSessionSec: 0,
  boughtMin: 0,
};
const tick: SessionTrigger = { type: "tick", expireLeases: true };
const after = (state: SessionState, trigger: SessionTrigger, sec: number) =>
  nextSessionState(state, trigger, sec * 1000, policy);

describe("transitions", () => {
  test("the first exchange makes EXCHANGED, and a later one changes no status", () => {
    const exchanged = after(created, { type: "exchanged" }, 1);
    expect(exchanged.status).toBe("EXCHANGED");
    const inProgress = after(exchanged, { type: "connected" }, 2);
    expect(after(inProgress, { type: "exchanged" }, 3).status).toBe("IN_PROGRESS");
  });

  test("a session may be in progress without an exchange", () => {
    expect(after(created, { type: "connected" }, 1)).toMatchObject({
      status: "IN_PROGRESS",
      inProgressAtMs: 1000,
    });
  });

  test("a heartbeat alone does not bring a session into progress, nor put off its expiry", () => {
    const beaten = after(created, { type: "alive" }, 59);
    expect(beaten.status).toBe("CREATED");
    expect(after(beaten, tick, 60).terminationReason).toBe("SESSION_EXPIRED_BEFORE_CONNECTION");
  });

  test("duration counts from in progress to the end", () => {
    const inProgress = after(created, { type: "connected" }, 10);
    expect(sessionDurationSec(created, 99_000)).toBe(0);
    expect(sessionDurationSec(inProgress, 15_900)).toBe(5);
    const ended = after(inProgress, { type: "end", reason: "GRACEFUL_TERMINATION" }, 40);
    expect(sessionDurationSec(ended, 99_000)).toBe(30);
  });
});

describe("leases", () => {
  test("unconnected sessions expire 60 s after creation, not earlier", () => {
    expect(after(created, tick, 59.999)).toBe(created);
    expect(after(created, tick, 60)).toMatchObject({
      status: "TERMINATED",
      terminationReason: "SESSION_EXPIRED_BEFORE_CONNECTION",
    });
  });

  test("a session in progress is lost 30 s after its last sign of life, and ends there", () => {
    const beaten = after(after(created, { type: "connected" }, 5), { type: "alive" }, 25);
    expect(after(beaten, tick, 54.999)).toBe(beaten);
    expect(after(beaten, tick, 500)).toMatchObject({
      terminationReason: "SESSION_LOST_AFTER_CONNECTION",
      endedAtMs: 55_000,
    });
  });

  test("nobody is lost while leases are not enforced", () => {
    const inProgress = after(created, { type: "connected" }, 5);
    expect(after(inProgress, { type: "tick", expireLeases: false }, 500)).toBe(inProgress);
  });

  test("the longest time counts from in progress and beats every other end", () => {
    const limited = after({ ...created, maxSessionSec: 20 }, { type: "connected" }, 50);
    expect(sessionDeadlineMs(limited, policy)).toBe(70_000);
    for (const trigger of [tick, { type: "alive" }, { type: "end", reason: "GRACEFUL_TERMINATION" }] as const)
      expect(after(limited, trigger, 71)).toMatchObject({
        terminationReason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
        endedAtMs: 70_000,
      });
  });
});

const anyTrigger: fc.Arbitrary<SessionTrigger> = fc.constantFrom<SessionTrigger>(
  { type: "exchanged" },
  { type: "connected" },
  { type: "alive" },
  tick,
  { type: "tick", expireLeases: false },
  { type: "end", reason: "GRACEFUL_TERMINATION" },
  { type: "end", reason: "SESSION_MISC_ERROR" },
);

test("whatever happens, a session only moves forward, ends once, and has a deadline until then", () => {
  const order = ["CREATED", "EXCHANGED", "IN_PROGRESS", "TERMINATED"];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyTrigger, fc.nat(40_000)), { maxLength: 40 }),
      fc.nat(200),
      (steps, maxSessionSec) => {
        let state: SessionState = { ...created, maxSessionSec };
        let nowMs = 0;
        for (const [trigger, passedMs] of steps) {
          nowMs += passedMs;
          const next = nextSessionState(state, trigger, nowMs, policy);
          expect(order.indexOf(next.status)).toBeGreaterThanOrEqual(order.indexOf(state.status));
          if (state.status === "TERMINATED") expect(next).toBe(state);
          expect(next.status === "TERMINATED").toBe(next.terminationReason !== null);
          expect(sessionDeadlineMs(next, policy) === null).toBe(next.status === "TERMINATED");
          expect(next.endedAtMs ?? 0).toBeLessThanOrEqual(nowMs);
          state = next;
        }
      },
    ),
  );
});
