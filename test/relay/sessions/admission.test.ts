import { beforeEach, describe, expect, test } from "vitest";
import type { EmbedContext } from "../../../src/protocol/settings/embed-context.ts";
import { Admission } from "../../../src/relay/sessions/admission.ts";
import type { SessionRecord, Visitor } from "../../../src/relay/sessions/live-places.ts";
import { MemoryCounter } from "../../../src/relay/limits/memory-counter.ts";
import { defaultRelayLimits, type RelayLimits } from "../../../src/relay/relay-deps.ts";

const minuteMs = 60_000;
const unlimited = Object.fromEntries(
  Object.keys(defaultRelayLimits).map((name) => [name, Infinity]),
) as unknown as RelayLimits;

let nowMs: number;
/** What the service says of a session, and which it was asked about. */
let records: Record<string, SessionRecord>;
let asked: string[];

beforeEach(() => {
  nowMs = 1_000_000;
  records = {};
  asked = [];
});

function admission(limits: Partial<RelayLimits> = {}): Admission {
  return new Admission({
    counter: new MemoryCounter(() => nowMs),
    limits: { ...unlimited, ...limits },
    clock: { now: () => nowMs },
    readRecord: (sessionId) => {
      asked.push(sessionId);
      return Promise.resolve(records[sessionId] ?? { state: "unknown", durationMs: null });
    },
  });
}

function context(limits?: { minutes_per_day?: number; sessions_per_visitor?: number }): EmbedContext {
  return { context_id: "ctx", embed_config: { ...(limits && { limits }) } } as unknown as EmbedContext;
}

const visitor = (visitorId: string | null, address: string | null = "address-1"): Visitor => ({
  contextId: "ctx",
  address,
  visitorId,
});

/** Why a visitor is not admitted, in the words of the error; "admitted" otherwise. */
async function outcome(gate: Admission, who: Visitor, of = context()): Promise<string> {
  return gate.admit(of, who).then(
    () => "admitted",
    (error: unknown) => {
      const { code, limit } = error as { code: string; limit?: string };
      return limit === undefined ? code : `${code}: ${limit}`;
    },
  );
}

describe("sessions started in a minute", () => {
  test.each<[keyof RelayLimits, Visitor, Visitor]>([
    [
      "startsPerMinutePerContext",
      visitor("visitor-2", "address-2"),
      { ...visitor("visitor-1"), contextId: "other" },
    ],
    ["startsPerMinutePerAddress", visitor("visitor-2"), visitor("visitor-1", "address-2")],
    ["startsPerMinutePerVisitor", visitor("visitor-1", "address-2"), visitor("visitor-2")],
  ])("are limited by %s", async (limit, same, other) => {
    const gate = admission({ [limit]: 2 });
    expect(await outcome(gate, visitor("visitor-1"))).toBe("admitted");
    expect(await outcome(gate, same)).toBe("admitted");
    expect(await outcome(gate, same)).toBe("rate_limited");
    expect(await outcome(gate, other)).toBe("admitted");
    nowMs += minuteMs - 1;
    expect(await outcome(gate, same)).toBe("rate_limited");
    nowMs += 1;
    expect(await outcome(gate, same)).toBe("admitted");
  });

  test("of visitors without a name or an address are counted only where they are known", async () => {
    const gate = admission({ startsPerMinutePerAddress: 1, startsPerMinutePerVisitor: 1 });
    for (let start = 0; start < 3; start += 1)
      expect(await outcome(gate, visitor(null, null))).toBe("admitted");
  });

  test("say when the limit resets", async () => {
    const gate = admission({ startsPerMinutePerContext: 0 });
    nowMs += 500;
    await expect(gate.admit(context(), visitor("visitor-1"))).rejects.toMatchObject({
      status: 429,
      headers: { "Retry-After": "60", "X-RateLimit-Limit": "0" },
    });
  });

  test("that one visitor has used up do not count for the others of its address or context", async () => {
    const gate = admission({ startsPerMinutePerVisitor: 1, startsPerMinutePerAddress: 2 });
    expect(await outcome(gate, visitor("visitor-1"))).toBe("admitted");
    for (let start = 0; start < 5; start += 1)
      expect(await outcome(gate, visitor("visitor-1"))).toBe("rate_limited");
    expect(await outcome(gate, visitor("visitor-2"))).toBe("admitted");
  });
});

describe("a visitor's conversations of a day", () => {
  const twice = context({ sessions_per_visitor: 2 });

  test("are limited by the owner", async () => {
    const gate = admission();
    expect(await outcome(gate, visitor("visitor-1"), twice)).toBe("admitted");
    expect(await outcome(gate, visitor("visitor-1"), twice)).toBe("admitted");
    expect(await outcome(gate, visitor("visitor-1"), twice)).toBe("quota_exceeded: visitor");
    expect(await outcome(gate, visitor("visitor-1"), context())).toBe("admitted");
    nowMs += 24 * 60 * minuteMs - 1;
    expect(await outcome(gate, visitor("visitor-1"), twice)).toBe("quota_exceeded: visitor");
    nowMs += 1;
    expect(await outcome(gate, visitor("visitor-1"), twice)).toBe("admitted");
  });

  test("are shared by so many visitors of an address, and a refused one uses up nothing", async () => {
    const gate = admission({ visitorsPerAddress: 2 });
    for (const name of ["one", "one", "one", "one", "two", "two"]) await outcome(gate, visitor(name), twice);
    expect(await outcome(gate, visitor("three"), twice)).toBe("quota_exceeded: visitor");
    expect(await outcome(gate, visitor("three", "address-2"), twice)).toBe("admitted");
    expect(await outcome(gate, visitor("three", "address-2"), twice)).toBe("admitted");
    expect(await outcome(gate, visitor("three", null), twice)).toBe("quota_exceeded: visitor");
  });

  test("are those of the address where the visitor has no name", async () => {
    const gate = admission({ visitorsPerAddress: 9 });
    expect(await outcome(gate, visitor(null), twice)).toBe("admitted");
    expect(await outcome(gate, visitor(null), twice)).toBe("admitted");
    expect(await outcome(gate, visitor(null), twice)).toBe("quota_exceeded: visitor");
    expect(await outcome(gate, visitor(null, null), twice)).toBe("admitted");
  });

  test("are counted by the visitor's name alone where the address is unknown", async () => {
    const gate = admission({ visitorsPerAddress: 1 });
    const once = context({ sessions_per_visitor: 1 });
    expect(await outcome(gate, visitor("one", null), once)).toBe("admitted");
    expect(await outcome(gate, visitor("two", null), once)).toBe("admitted");
    expect(await outcome(gate, visitor("one", null), once)).toBe("quota_exceeded: visitor");
  });

  test("do not include one that found no place, or that could not be created", async () => {
    const gate = admission({ livePerContext: 1 });
    const once = context({ sessions_per_visitor: 1 });
    const ticket = await gate.admit(once, visitor("visitor-1"));
    expect(await outcome(gate, visitor("visitor-2"), once)).toBe("quota_exceeded: busy");
    await gate.withdraw(ticket, false);
    const again = await gate.admit(once, visitor("visitor-2"));
    expect(await outcome(gate, visitor("visitor-1"), once)).toBe("quota_exceeded: busy");
    await gate.withdraw(again, true);
    nowMs += minuteMs;
    expect(await outcome(gate, visitor("visitor-2"), once)).toBe("quota_exceeded: visitor");
    expect(await outcome(gate, visitor("visitor-1"), once)).toBe("admitted");
  });
});

describe("a context's minutes of a day", () => {
  const hour = context({ minutes_per_day: 60 });

  async function opened(gate: Admission, who: Visitor, sessionId: string): Promise<void> {
    await gate.opened(await gate.admit(hour, who), sessionId);
  }

  test("are unlimited unless the owner limits them", async () => {
    const gate = admission();
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 999 * minuteMs);
    expect(await gate.dayLeftMs(context())).toBeNull();
    expect(await gate.dayLeftMs(context({ sessions_per_visitor: 1 }))).toBeNull();
    expect(await outcome(gate, visitor("visitor-1"))).toBe("admitted");
  });

  test("are counted from each session's start, once for repeated heartbeats", async () => {
    const gate = admission();
    const startedAtMs = nowMs;
    nowMs += 10 * minuteMs;
    await gate.renew(visitor("visitor-1"), "session-1", startedAtMs);
    await gate.renew(visitor("visitor-1"), "session-1", startedAtMs);
    expect(await gate.dayLeftMs(hour)).toBe(50 * minuteMs);
    await gate.renew(visitor("visitor-2"), "session-2", startedAtMs + 6 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(46 * minuteMs);
    await gate.renew(visitor("visitor-3"), "session-3", nowMs + minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(46 * minuteMs);
    await gate.renew(visitor("visitor-1"), "session-1", startedAtMs - 90 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(0);
    expect(await outcome(gate, visitor("visitor-4"), hour)).toBe("quota_exceeded: day");
    nowMs += 24 * 60 * minuteMs;
    expect(await outcome(gate, visitor("visitor-4"), hour)).toBe("admitted");
  });

  test("include what the service says of a session that has ended, and of one without heartbeats", async () => {
    const gate = admission();
    await opened(gate, visitor("visitor-1"), "session-1");
    await opened(gate, visitor("visitor-2"), "session-2");
    records["session-1"] = { state: "gone", durationMs: 20 * minuteMs };
    records["session-2"] = { state: "live", durationMs: 10 * minuteMs };
    asked = [];
    await gate.release(visitor("visitor-1"), "session-1");
    expect(await gate.dayLeftMs(hour)).toBe(40 * minuteMs);
    await gate.release(visitor("visitor-1"), "session-1");
    expect(asked).toEqual(["session-1"]);
    nowMs += 20_000;
    await gate.admit(hour, visitor("visitor-3"));
    expect(asked).toEqual(["session-1", "session-2"]);
    expect(await gate.dayLeftMs(hour)).toBe(30 * minuteMs);
  });

  test("do not include a session of which the service says no duration", async () => {
    const gate = admission();
    await opened(gate, visitor("visitor-1"), "session-1");
    records["session-1"] = { state: "gone", durationMs: null };
    await gate.release(visitor("visitor-1"), "session-1");
    expect(await gate.dayLeftMs(hour)).toBe(60 * minuteMs);
  });

  test("remember a live session's time for a day, and an ended one's for ten minutes", async () => {
    const gate = admission();
    const day = context({ minutes_per_day: 10_000 });
    await opened(gate, visitor("visitor-1"), "session-1");
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 5 * minuteMs);
    nowMs += 23 * 60 * minuteMs;
    // The window of the minutes has not ended either, so only the rise is counted.
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 6 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_994 * minuteMs);
    records["session-1"] = { state: "gone", durationMs: 7 * minuteMs };
    await gate.release(visitor("visitor-1"), "session-1");
    expect(await gate.dayLeftMs(day)).toBe(9_993 * minuteMs);
    nowMs += 10 * minuteMs - 1;
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 7 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_993 * minuteMs);
    nowMs += 1;
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 7 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_986 * minuteMs);
  });

  test("are asked of the service only where there is a limit, and at most once a second", async () => {
    const gate = admission({ livePerVisitor: 1 });
    await opened(gate, visitor("visitor-1"), "session-1");
    nowMs += 20_000;
    await gate.admit(context(), visitor("visitor-2"));
    expect(asked).toEqual([]);
    for (let start = 0; start < 3; start += 1) {
      await gate.admit(hour, visitor(null));
      nowMs += 400;
    }
    expect(asked).toEqual(["session-1"]);
  });

  test("include each part of a live session's time once, whoever tells it", async () => {
    const gate = admission();
    await opened(gate, visitor("visitor-1"), "session-1");
    nowMs += 20_000;
    records["session-1"] = { state: "live", durationMs: 10 * minuteMs };
    await gate.admit(hour, visitor("visitor-2"));
    nowMs += 20 * minuteMs;
    await gate.renew(visitor("visitor-1"), "session-1", nowMs - 12 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(48 * minuteMs);
  });

  test("keep the places of a session whose heartbeats arrive", async () => {
    const gate = admission({ livePerVisitor: 1 });
    const startedAtMs = nowMs;
    await opened(gate, visitor("visitor-1"), "session-1");
    nowMs += 23 * 60 * minuteMs;
    await gate.renew(visitor("visitor-1"), "session-1", startedAtMs);
    nowMs += 2 * 60 * minuteMs;
    expect(await outcome(gate, visitor("visitor-1"))).toBe("quota_exceeded: open");
  });
});
