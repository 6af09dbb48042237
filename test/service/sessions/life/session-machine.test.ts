import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boughtMinutes,
  monthOf,
  nextSessionState,
  placeChange,
  refusedSessionState,
  sessionDeadlineMs,
  sessionDurationSec,
  type SessionState,
  type SessionTrigger,
  timeLeftSec,
} from "../../../../src/service/sessions/life/session-machine.ts";

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
  peerClosedAtMs: null,
  leavingAtMs: null,
  holdsPlace: true,
};
const tick: SessionTrigger = { type: "tick", expireLeases: true };
const after = (state: SessionState, trigger: SessionTrigger, sec: number) =>
  nextSessionState(state, trigger, sec * 1000, policy);

describe("transitions", () => {
  test("the first exchange sets EXCHANGED, and a later one does not change the status", () => {
    const exchanged = after(created, { type: "exchanged" }, 1);
    expect(exchanged.status).toBe("EXCHANGED");
    const inProgress = after(exchanged, { type: "connected", by: "peer" }, 2);
    expect(after(inProgress, { type: "exchanged" }, 3).status).toBe("IN_PROGRESS");
  });

  test("a session may be in progress without an exchange", () => {
    expect(after(created, { type: "connected", by: "peer" }, 1)).toMatchObject({
      status: "IN_PROGRESS",
      inProgressAtMs: 1000,
    });
  });

  test("a heartbeat alone neither sets a session in progress nor delays its expiry", () => {
    const beaten = after(created, { type: "alive", by: "event" }, 59);
    expect(beaten.status).toBe("CREATED");
    expect(after(beaten, tick, 60).terminationReason).toBe("SESSION_EXPIRED_BEFORE_CONNECTION");
  });

  test("the duration lasts from in progress to the last heartbeat or ping, independent of when it is read", () => {
    const inProgress = after(created, { type: "connected", by: "peer" }, 10);
    expect(sessionDurationSec(created)).toBe(0);
    expect(sessionDurationSec(inProgress)).toBe(0);
    const beaten = after(inProgress, { type: "alive", by: "event" }, 25.9);
    expect(sessionDurationSec(beaten)).toBe(15);
    const graceful = { type: "end", reason: "GRACEFUL_TERMINATION" } as const;
    expect(sessionDurationSec(after(beaten, { ...graceful, by: "client" }, 40))).toBe(30);
    // An end by the operator is no sign of life of the client.
    expect(sessionDurationSec(after(beaten, { ...graceful, by: "service" }, 40))).toBe(15);
    expect(sessionDurationSec(after(beaten, tick, 500))).toBe(15);
  });
});

describe("a page that announced its leave", () => {
  const inProgress = after(created, { type: "connected", by: "peer" }, 10);
  const leaving = after(inProgress, { type: "leave" }, 20);

  test("ends its session gracefully ten seconds later", () => {
    expect(sessionDeadlineMs(leaving, policy)).toBe(30_000);
    expect(after(leaving, tick, 29.9).status).toBe("IN_PROGRESS");
    expect(after(leaving, tick, 31)).toMatchObject({
      terminationReason: "GRACEFUL_TERMINATION",
      endedAtMs: 30_000,
    });
    expect(sessionDurationSec(after(leaving, tick, 31))).toBe(10);
  });

  test.each<SessionTrigger>([
    { type: "exchanged" },
    { type: "alive", by: "event" },
    { type: "alive", by: "call" },
  ])("goes on with its session by $type", (trigger) => {
    const back = after(leaving, trigger, 25);
    expect(back.leavingAtMs).toBeNull();
    expect(after(back, tick, 40).status).toBe("IN_PROGRESS");
  });

  test("does not count as back when late packets of its old connection arrive", () => {
    expect(after(leaving, { type: "alive", by: "peer" }, 21)).toBe(leaving);
  });
});

describe("minutes", () => {
  const inProgress = after(created, { type: "connected", by: "peer" }, 10);

  test("each is charged at its first sign of life, and none for the silence before a lease runs out", () => {
    expect(inProgress.boughtMin).toBe(1);
    const late = after(inProgress, { type: "alive", by: "peer" }, 69);
    expect(after(late, tick, 75).boughtMin).toBe(1);
    expect(after(late, tick, 500)).toMatchObject({
      terminationReason: "SESSION_LOST_AFTER_CONNECTION",
      boughtMin: 1,
    });
    expect(after(late, { type: "alive", by: "event" }, 70.001).boughtMin).toBe(2);
  });

  test("an end by the client charges the minute in which it happened", () => {
    const ended = after(
      after(inProgress, { type: "alive", by: "event" }, 65),
      { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" },
      75,
    );
    expect(ended.boughtMin).toBe(2);
    expect(sessionDurationSec(ended)).toBe(65);
  });

  test("a session that is refused its next minute ends after the current one", () => {
    const ended = refusedSessionState(
      after(inProgress, { type: "alive", by: "event" }, 65),
      "INSUFFICIENT_CREDITS",
      75_000,
    );
    expect(ended).toMatchObject({ endedAtMs: 70_000, boughtMin: 1 });
    expect(sessionDurationSec(ended)).toBe(60);
  });
});

describe("the place", () => {
  const live = after(created, { type: "connected", by: "peer" }, 1);
  const closed = after(live, { type: "peer-closed" }, 20);

  test("is freed 10 s after the peer closed, while the session still lives", () => {
    expect(sessionDeadlineMs(closed, policy)).toBe(30_000);
    expect(after(closed, tick, 29.999)).toBe(closed);
    const freed = after(closed, tick, 30);
    expect(freed).toMatchObject({ holdsPlace: false, status: "IN_PROGRESS" });
    expect(placeChange(closed, freed)).toBe("freed");
    expect(sessionDeadlineMs(freed, policy)).toBe(31_000);
    const ended = after(freed, tick, 31);
    expect(placeChange(freed, ended)).toBeUndefined();
    expect(
      placeChange(closed, after(closed, { type: "end", reason: "SESSION_MISC_ERROR", by: "client" }, 21)),
    ).toBe("freed");
  });

  test.each<SessionTrigger>([
    { type: "exchanged" },
    { type: "connected", by: "peer" },
    { type: "alive", by: "peer" },
  ])("is kept by another peer: %j", (trigger) => {
    const back = after(closed, trigger, 29);
    expect(after(back, tick, 31)).toMatchObject({ holdsPlace: true });
  });

  test("is not kept by heartbeats, and is taken again by a client that continues", () => {
    const beaten = after(closed, { type: "alive", by: "event" }, 29);
    const freed = after(beaten, tick, 30);
    expect(freed.holdsPlace).toBe(false);
    expect(after(freed, { type: "alive", by: "event" }, 35).holdsPlace).toBe(false);
    const used = after(freed, { type: "alive", by: "call" }, 35);
    expect(placeChange(freed, used)).toBe("taken");
    expect(after(used, tick, 50).holdsPlace).toBe(true);
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
    const beaten = after(
      after(created, { type: "connected", by: "peer" }, 5),
      { type: "alive", by: "event" },
      25,
    );
    expect(after(beaten, tick, 54.999)).toBe(beaten);
    expect(after(beaten, tick, 500)).toMatchObject({
      terminationReason: "SESSION_LOST_AFTER_CONNECTION",
      endedAtMs: 55_000,
    });
  });

  test("no session is lost while leases are not enforced", () => {
    const inProgress = after(created, { type: "connected", by: "peer" }, 5);
    expect(after(inProgress, { type: "tick", expireLeases: false }, 500)).toBe(inProgress);
  });

  test("the maximum duration counts from in progress and takes precedence over every other end", () => {
    const limited = after({ ...created, maxSessionSec: 20 }, { type: "connected", by: "peer" }, 50);
    expect(sessionDeadlineMs(limited, policy)).toBe(70_000);
    for (const trigger of [
      tick,
      { type: "alive", by: "event" },
      { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" },
    ] as const)
      expect(after(limited, trigger, 71)).toMatchObject({
        terminationReason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
        endedAtMs: 70_000,
      });
  });
});

describe("the time that a session has left", () => {
  const limited = after({ ...created, maxSessionSec: 20 }, { type: "connected", by: "peer" }, 50);

  test("is its own limit less what has passed since it is in progress, in whole seconds rounded up", () => {
    expect(timeLeftSec(limited, 50_000)).toBe(20);
    expect(timeLeftSec(limited, 60_500)).toBe(10);
    expect(timeLeftSec(limited, 69_999)).toBe(1);
    expect(timeLeftSec(limited, 99_000)).toBe(0);
  });

  test("is not told where it has no limit of its own, or is not in progress", () => {
    expect(timeLeftSec(after(created, { type: "connected", by: "peer" }, 1), 2_000)).toBeUndefined();
    expect(timeLeftSec({ ...created, maxSessionSec: 20 }, 2_000)).toBeUndefined();
    expect(timeLeftSec(after(limited, tick, 71), 72_000)).toBeUndefined();
  });
});

describe("what a change of state costs", () => {
  const inProgress = after(created, { type: "connected", by: "peer" }, 10);

  test("is the minutes that it bought, in the month in which the first of them began", () => {
    expect(boughtMinutes(created, inProgress)).toEqual({ count: 1, month: "1970-01", isOwed: false });
    const later = after(inProgress, { type: "alive", by: "peer" }, 39);
    expect(boughtMinutes(inProgress, later)).toBeUndefined();
    const minute = after(later, { type: "alive", by: "peer" }, 60 + 11);
    expect(boughtMinutes(later, minute)).toEqual({ count: 1, month: "1970-01", isOwed: false });
    const monthEndMs = Date.UTC(2026, 0, 31, 23, 59, 30);
    const late = nextSessionState(
      { ...created, createdAtMs: monthEndMs, lastSeenAtMs: monthEndMs },
      { type: "connected", by: "peer" },
      monthEndMs,
      policy,
    );
    const seen = { ...late, boughtMin: 3, lastSeenAtMs: monthEndMs + 150_000 };
    expect(boughtMinutes(late, seen)).toEqual({ count: 2, month: "2026-02", isOwed: false });
    expect(monthOf(monthEndMs)).toBe("2026-01");
  });

  test("is owed where the session has ended, and nothing before it is in progress", () => {
    const ended = after(inProgress, { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" }, 75);
    expect(boughtMinutes(inProgress, ended)).toEqual({ count: 1, month: "1970-01", isOwed: true });
    expect(boughtMinutes(created, { ...created, boughtMin: 1 })).toBeUndefined();
    expect(boughtMinutes(inProgress, { ...inProgress, boughtMin: 0 })).toBeUndefined();
  });
});

describe("an event that changes nothing", () => {
  const inProgress = after(created, { type: "connected", by: "peer" }, 10);

  test("leaves the same state", () => {
    expect(after(inProgress, { type: "alive", by: "peer" }, 10)).toBe(inProgress);
    expect(after(inProgress, { type: "alive", by: "event" }, 9)).toBe(inProgress);
    const leaving = after(inProgress, { type: "leave" }, 20);
    expect(after(leaving, { type: "leave" }, 25)).toBe(leaving);
    const closed = after(inProgress, { type: "peer-closed" }, 20);
    expect(after(closed, { type: "peer-closed" }, 25)).toBe(closed);
  });

  test("of the time a sign of life may be one that buys a minute", () => {
    expect(after({ ...inProgress, boughtMin: 0 }, { type: "alive", by: "peer" }, 10).boughtMin).toBe(1);
  });
});

test("only a sign of life uses the last minute of a session whose time is up", () => {
  const limited = after({ ...created, maxSessionSec: 70 }, { type: "connected", by: "peer" }, 0);
  const ofLife: SessionTrigger[] = [
    { type: "exchanged" },
    { type: "alive", by: "event" },
    { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" },
  ];
  const other: SessionTrigger[] = [
    tick,
    { type: "peer-closed" },
    { type: "leave" },
    { type: "end", reason: "SESSION_MISC_ERROR", by: "service" },
  ];
  for (const trigger of ofLife)
    expect(after(limited, trigger, 70)).toMatchObject({ boughtMin: 2, lastSeenAtMs: 70_000 });
  for (const trigger of other)
    expect(after(limited, trigger, 70)).toMatchObject({ boughtMin: 1, lastSeenAtMs: 0, endedAtMs: 70_000 });
  expect(after(limited, tick, 29.999).status).toBe("IN_PROGRESS");
});

test("an event alone connects a session without a place for its peer, and a refused one ends at once", () => {
  const freed = { ...after(created, { type: "peer-closed" }, 1), holdsPlace: false };
  expect(after(freed, { type: "connected", by: "event" }, 20).holdsPlace).toBe(false);
  expect(after(freed, { type: "connected", by: "peer" }, 20).holdsPlace).toBe(true);
  expect(refusedSessionState(created, "INSUFFICIENT_CREDITS", 7_000).endedAtMs).toBe(7_000);
});

const anyTrigger: fc.Arbitrary<SessionTrigger> = fc.constantFrom<SessionTrigger>(
  { type: "exchanged" },
  { type: "peer-closed" },
  { type: "alive", by: "peer" },
  { type: "alive", by: "call" },
  { type: "connected", by: "peer" },
  { type: "alive", by: "event" },
  tick,
  { type: "tick", expireLeases: false },
  { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" },
  { type: "end", reason: "SESSION_MISC_ERROR", by: "service" },
);

test("for any events, a session only moves forward, ends once, and has a deadline until then", () => {
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
          const usedMin = sessionDurationSec(next) / 60;
          expect(next.boughtMin).toBeGreaterThanOrEqual(Math.ceil(usedMin));
          expect(next.boughtMin).toBeLessThanOrEqual(Math.floor(usedMin) + 1);
          expect(next.endedAtMs ?? 0).toBeLessThanOrEqual(nowMs);
          state = next;
        }
      },
    ),
  );
});
