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
  ...{ status: "CREATED", terminationReason: null, createdAtMs: 0, inProgressAtMs: null, lastSeenAtMs: 0 },
  ...{ endedAtMs: null, maxSessionSec: 0, boughtMin: 0, peerClosedAtMs: null, leavingAtMs: null },
  holdsPlace: true,
};

const exchanged: SessionTrigger = { type: "exchanged" };
const connected: SessionTrigger = { type: "connected", by: "peer" };
const closedPeer: SessionTrigger = { type: "peer-closed" };
const leave: SessionTrigger = { type: "leave" };
const heartbeat: SessionTrigger = { type: "alive", by: "event" };
const call: SessionTrigger = { type: "alive", by: "call" };
const ping: SessionTrigger = { type: "alive", by: "peer" };
const tick: SessionTrigger = { type: "tick", expireLeases: true };
const tickWithoutLeases: SessionTrigger = { type: "tick", expireLeases: false };
const graceful: SessionTrigger = { type: "end", reason: "GRACEFUL_TERMINATION", by: "client" };
const byOperator: SessionTrigger = { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" };
const failed: SessionTrigger = { type: "end", reason: "SESSION_MISC_ERROR", by: "service" };

const after = (state: SessionState, trigger: SessionTrigger, sec: number) =>
  nextSessionState(state, trigger, sec * 1000, policy);

/** In progress for 0 s at 10 s. */
const inProgress = after(created, connected, 10);

describe("transitions", () => {
  test("the first exchange sets EXCHANGED, and a later one does not change the status", () => {
    const first = after(created, exchanged, 1);
    expect(first.status).toBe("EXCHANGED");
    expect(after(after(first, connected, 2), exchanged, 3).status).toBe("IN_PROGRESS");
  });

  test("a session may be in progress without an exchange", () => {
    expect(inProgress).toMatchObject({ status: "IN_PROGRESS", inProgressAtMs: 10_000 });
  });

  test("a heartbeat alone neither sets a session in progress nor delays its expiry", () => {
    const beaten = after(created, heartbeat, 59);
    expect(beaten.status).toBe("CREATED");
    expect(after(beaten, tick, 60).terminationReason).toBe("SESSION_EXPIRED_BEFORE_CONNECTION");
  });

  test("the duration lasts from in progress to the last heartbeat or ping, independent of when it is read", () => {
    const beaten = after(inProgress, heartbeat, 25.9);
    // An end by the operator is no sign of life of the client.
    const ends = [after(beaten, graceful, 40), after(beaten, byOperator, 40), after(beaten, tick, 500)];
    expect([created, inProgress, beaten, ...ends].map(sessionDurationSec)).toEqual([0, 0, 15, 30, 15, 15]);
  });
});

describe("a page that announced its leave", () => {
  const leaving = after(inProgress, leave, 20);

  test("ends its session gracefully ten seconds later", () => {
    expect(sessionDeadlineMs(leaving, policy)).toBe(30_000);
    expect(after(leaving, tick, 29.9).status).toBe("IN_PROGRESS");
    const ended = after(leaving, tick, 31);
    expect(ended).toMatchObject({ terminationReason: "GRACEFUL_TERMINATION", endedAtMs: 30_000 });
    expect(sessionDurationSec(ended)).toBe(10);
  });

  test.each([exchanged, heartbeat, call])("goes on with its session by %j", (trigger) => {
    const back = after(leaving, trigger, 25);
    expect(back.leavingAtMs).toBeNull();
    expect(after(back, tick, 40).status).toBe("IN_PROGRESS");
  });

  test("does not count as back when late packets of its old connection arrive", () => {
    expect(after(leaving, ping, 21)).toBe(leaving);
  });
});

describe("minutes", () => {
  test("each is charged at its first sign of life, and none for the silence before a lease runs out", () => {
    expect(inProgress.boughtMin).toBe(1);
    const late = after(inProgress, ping, 69);
    expect(after(late, tick, 75).boughtMin).toBe(1);
    const lost = { terminationReason: "SESSION_LOST_AFTER_CONNECTION", boughtMin: 1 };
    expect(after(late, tick, 500)).toMatchObject(lost);
    expect(after(late, heartbeat, 70.001).boughtMin).toBe(2);
  });

  test("an end by the client charges the minute in which it happened", () => {
    const ended = after(after(inProgress, heartbeat, 65), graceful, 75);
    expect([ended.boughtMin, sessionDurationSec(ended)]).toEqual([2, 65]);
  });

  test("a session that is refused its next minute ends after the current one", () => {
    const beaten = after(inProgress, heartbeat, 65);
    const ended = refusedSessionState(beaten, "INSUFFICIENT_CREDITS", 75_000);
    expect(ended).toMatchObject({ endedAtMs: 70_000, boughtMin: 1 });
    expect(sessionDurationSec(ended)).toBe(60);
    expect(refusedSessionState(created, "INSUFFICIENT_CREDITS", 7_000).endedAtMs).toBe(7_000);
  });
});

describe("the place", () => {
  const closed = after(after(created, connected, 1), closedPeer, 20);

  test("is freed 10 s after the peer closed, while the session still lives", () => {
    expect(sessionDeadlineMs(closed, policy)).toBe(30_000);
    expect(after(closed, tick, 29.999)).toBe(closed);
    const freed = after(closed, tick, 30);
    expect(freed).toMatchObject({ holdsPlace: false, status: "IN_PROGRESS" });
    expect(placeChange(closed, freed)).toBe("freed");
    expect(sessionDeadlineMs(freed, policy)).toBe(31_000);
    expect(placeChange(freed, after(freed, tick, 31))).toBeUndefined();
    expect(placeChange(closed, after(closed, failed, 21))).toBe("freed");
  });

  test.each([exchanged, connected, ping])("is kept by another peer: %j", (trigger) => {
    expect(after(after(closed, trigger, 29), tick, 31)).toMatchObject({ holdsPlace: true });
  });

  test("is not kept by heartbeats, and is taken again by a client that continues", () => {
    const freed = after(after(closed, heartbeat, 29), tick, 30);
    expect(freed.holdsPlace).toBe(false);
    expect(after(freed, heartbeat, 35).holdsPlace).toBe(false);
    const used = after(freed, call, 35);
    expect(placeChange(freed, used)).toBe("taken");
    expect(after(used, tick, 50).holdsPlace).toBe(true);
  });

  test("is not taken by an event that connects a session without a peer", () => {
    const freed = { ...after(created, closedPeer, 1), holdsPlace: false };
    expect(after(freed, { type: "connected", by: "event" }, 20).holdsPlace).toBe(false);
    expect(after(freed, connected, 20).holdsPlace).toBe(true);
  });
});

describe("leases", () => {
  test("unconnected sessions expire 60 s after creation, not earlier", () => {
    expect(after(created, tick, 59.999)).toBe(created);
    const expired = { status: "TERMINATED", terminationReason: "SESSION_EXPIRED_BEFORE_CONNECTION" };
    expect(after(created, tick, 60)).toMatchObject(expired);
  });

  test("a session in progress is lost 30 s after its last sign of life, and ends there", () => {
    const beaten = after(inProgress, heartbeat, 25);
    expect(after(beaten, tick, 54.999)).toBe(beaten);
    const lost = { terminationReason: "SESSION_LOST_AFTER_CONNECTION", endedAtMs: 55_000 };
    expect(after(beaten, tick, 500)).toMatchObject(lost);
  });

  test("no session is lost while leases are not enforced", () => {
    expect(after(inProgress, tickWithoutLeases, 500)).toBe(inProgress);
  });
});

describe("the maximum duration", () => {
  const limited = after({ ...created, maxSessionSec: 20 }, connected, 50);

  test.each([tick, heartbeat, graceful])(
    "counts from in progress and takes precedence over %j",
    (trigger) => {
      expect(sessionDeadlineMs(limited, policy)).toBe(70_000);
      const ended = { terminationReason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED", endedAtMs: 70_000 };
      expect(after(limited, trigger, 71)).toMatchObject(ended);
    },
  );

  test("leaves what has not passed since, in whole seconds rounded up", () => {
    const left = [50_000, 60_500, 69_999, 99_000].map((nowMs) => timeLeftSec(limited, nowMs));
    expect(left).toEqual([20, 10, 1, 0]);
  });

  test("leaves nothing to tell where there is none, or the session is not in progress", () => {
    expect(timeLeftSec(inProgress, 12_000)).toBeUndefined();
    expect(timeLeftSec({ ...created, maxSessionSec: 20 }, 2_000)).toBeUndefined();
    expect(timeLeftSec(after(limited, tick, 71), 72_000)).toBeUndefined();
  });

  test("has a last minute that only a sign of life uses", () => {
    const long = after({ ...created, maxSessionSec: 70 }, connected, 0);
    for (const trigger of [exchanged, heartbeat, graceful])
      expect(after(long, trigger, 70)).toMatchObject({ boughtMin: 2, lastSeenAtMs: 70_000 });
    for (const trigger of [tick, closedPeer, leave, failed])
      expect(after(long, trigger, 70)).toMatchObject({ boughtMin: 1, lastSeenAtMs: 0, endedAtMs: 70_000 });
    expect(after(long, tick, 29.999).status).toBe("IN_PROGRESS");
  });
});

describe("what a change of state costs", () => {
  const one = { count: 1, month: "1970-01", isOwed: false };

  test("is the minutes that it bought, in the month in which the first of them began", () => {
    expect(boughtMinutes(created, inProgress)).toEqual(one);
    const later = after(inProgress, ping, 39);
    expect(boughtMinutes(inProgress, later)).toBeUndefined();
    expect(boughtMinutes(later, after(later, ping, 60 + 11))).toEqual(one);
    const monthEndMs = Date.UTC(2026, 0, 31, 23, 59, 30);
    const atMonthEnd = { ...created, createdAtMs: monthEndMs, lastSeenAtMs: monthEndMs };
    const late = nextSessionState(atMonthEnd, connected, monthEndMs, policy);
    const seen = { ...late, boughtMin: 3, lastSeenAtMs: monthEndMs + 150_000 };
    expect(boughtMinutes(late, seen)).toEqual({ count: 2, month: "2026-02", isOwed: false });
    expect(monthOf(monthEndMs)).toBe("2026-01");
  });

  test("is owed where the session has ended, and nothing before it is in progress", () => {
    expect(boughtMinutes(inProgress, after(inProgress, graceful, 75))).toEqual({ ...one, isOwed: true });
    expect(boughtMinutes(created, { ...created, boughtMin: 1 })).toBeUndefined();
    expect(boughtMinutes(inProgress, { ...inProgress, boughtMin: 0 })).toBeUndefined();
  });
});

test("an event that changes nothing leaves the same state, unless it buys a minute", () => {
  expect(after(inProgress, ping, 10)).toBe(inProgress);
  expect(after(inProgress, heartbeat, 9)).toBe(inProgress);
  for (const trigger of [leave, closedPeer]) {
    const state = after(inProgress, trigger, 20);
    expect(after(state, trigger, 25)).toBe(state);
  }
  expect(after({ ...inProgress, boughtMin: 0 }, ping, 10).boughtMin).toBe(1);
});

test("for any events, a session only moves forward, ends once, and has a deadline until then", () => {
  const order = ["CREATED", "EXCHANGED", "IN_PROGRESS", "TERMINATED"];
  const ways = [exchanged, closedPeer, ping, call, connected, heartbeat, tick, tickWithoutLeases, graceful];
  const steps = fc.array(fc.tuple(fc.constantFrom(...ways, failed), fc.nat(40_000)), { maxLength: 40 });
  fc.assert(
    fc.property(steps, fc.nat(200), (taken, maxSessionSec) => {
      let state: SessionState = { ...created, maxSessionSec };
      let nowMs = 0;
      for (const [trigger, passedMs] of taken) {
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
    }),
  );
});
