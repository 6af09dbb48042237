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

/** What each of these visitors is told in turn: why it is not admitted, in the words of the error; "admitted" otherwise. */
async function outcomes(gate: Admission, visitors: readonly Visitor[], of = context()): Promise<string[]> {
  const told: string[] = [];
  for (const who of visitors)
    await gate.admit(of, who).then(
      () => told.push("admitted"),
      (error: unknown) => {
        const { code, limit } = error as { code: string; limit?: string };
        told.push(limit ? `${code}: ${limit}` : code);
      },
    );
  return told;
}

const [yes, often, enough] = ["admitted", "rate_limited", "quota_exceeded: visitor"];

describe("sessions started in a minute", () => {
  test.each<[keyof RelayLimits, Visitor, Visitor]>([
    ["startsPerMinutePerContext", visitor("two", "address-2"), { ...visitor("one"), contextId: "other" }],
    ["startsPerMinutePerAddress", visitor("two"), visitor("one", "address-2")],
    ["startsPerMinutePerVisitor", visitor("one", "address-2"), visitor("two")],
  ])("are limited by %s", async (limit, same, other) => {
    const gate = admission({ [limit]: 2 });
    expect(await outcomes(gate, [visitor("one"), same, same, other])).toEqual([yes, yes, often, yes]);
    nowMs += minuteMs - 1;
    expect(await outcomes(gate, [same])).toEqual([often]);
    nowMs += 1;
    expect(await outcomes(gate, [same])).toEqual([yes]);
  });

  test("of visitors without a name or an address are counted only where they are known", async () => {
    const gate = admission({ startsPerMinutePerAddress: 1, startsPerMinutePerVisitor: 1 });
    expect(await outcomes(gate, Array<Visitor>(3).fill(visitor(null, null)))).toEqual([yes, yes, yes]);
  });

  test("say when the limit resets", async () => {
    const gate = admission({ startsPerMinutePerContext: 0 });
    nowMs += 500;
    await expect(gate.admit(context(), visitor("one"))).rejects.toMatchObject({
      status: 429,
      headers: { "Retry-After": "60", "X-RateLimit-Limit": "0" },
    });
  });

  test("that one visitor has used up do not count for the others of its address or context", async () => {
    const gate = admission({ startsPerMinutePerVisitor: 1, startsPerMinutePerAddress: 2 });
    const visitors = ["one", "one", "one", "one", "two"].map((name) => visitor(name));
    expect(await outcomes(gate, visitors)).toEqual([yes, often, often, often, yes]);
  });
});

describe("a visitor's conversations of a day", () => {
  const twice = context({ sessions_per_visitor: 2 });
  const once = context({ sessions_per_visitor: 1 });

  test("are limited by the owner", async () => {
    const gate = admission();
    const one = visitor("one");
    expect(await outcomes(gate, [one, one, one], twice)).toEqual([yes, yes, enough]);
    expect(await outcomes(gate, [one])).toEqual([yes]);
    nowMs += 24 * 60 * minuteMs - 1;
    expect(await outcomes(gate, [one], twice)).toEqual([enough]);
    nowMs += 1;
    expect(await outcomes(gate, [one], twice)).toEqual([yes]);
  });

  test("are shared by so many visitors of an address, and a refused one uses up nothing", async () => {
    const gate = admission({ visitorsPerAddress: 2 });
    const visitors = ["one", "one", "one", "one", "two", "two", "three"].map((name) => visitor(name));
    expect((await outcomes(gate, visitors, twice)).at(-1)).toBe(enough);
    const moved = [visitor("three", "address-2"), visitor("three", "address-2"), visitor("three", null)];
    expect(await outcomes(gate, moved, twice)).toEqual([yes, yes, enough]);
  });

  test("are those of the address where the visitor has no name", async () => {
    const gate = admission({ visitorsPerAddress: 9 });
    const visitors = [visitor(null), visitor(null), visitor(null), visitor(null, null)];
    expect(await outcomes(gate, visitors, twice)).toEqual([yes, yes, enough, yes]);
  });

  test("are counted by the visitor's name alone where the address is unknown", async () => {
    const visitors = ["one", "two", "one"].map((name) => visitor(name, null));
    expect(await outcomes(admission({ visitorsPerAddress: 1 }), visitors, once)).toEqual([yes, yes, enough]);
  });

  test("do not include one that found no place, or that could not be created", async () => {
    const gate = admission({ livePerContext: 1 });
    const [one, two, busy] = [visitor("one"), visitor("two"), "quota_exceeded: busy"];
    const ticket = await gate.admit(once, one);
    expect(await outcomes(gate, [two], once)).toEqual([busy]);
    await gate.withdraw(ticket, false);
    const again = await gate.admit(once, two);
    expect(await outcomes(gate, [one], once)).toEqual([busy]);
    await gate.withdraw(again, true);
    nowMs += minuteMs;
    expect(await outcomes(gate, [two, one], once)).toEqual([enough, yes]);
  });
});

describe("a context's minutes of a day", () => {
  const hour = context({ minutes_per_day: 60 });

  async function opened(gate: Admission, who: Visitor, sessionId: string): Promise<void> {
    await gate.opened(await gate.admit(hour, who), sessionId);
  }

  test("are unlimited unless the owner limits them", async () => {
    const gate = admission();
    await gate.renew(visitor("one"), "session-1", nowMs - 999 * minuteMs);
    expect(await gate.dayLeftMs(context())).toBeNull();
    expect(await gate.dayLeftMs(context({ sessions_per_visitor: 1 }))).toBeNull();
    expect(await outcomes(gate, [visitor("one")])).toEqual(["admitted"]);
  });

  test("are counted from each session's start, once for repeated heartbeats", async () => {
    const gate = admission();
    const startedAtMs = nowMs;
    nowMs += 10 * minuteMs;
    await gate.renew(visitor("one"), "session-1", startedAtMs);
    await gate.renew(visitor("one"), "session-1", startedAtMs);
    expect(await gate.dayLeftMs(hour)).toBe(50 * minuteMs);
    await gate.renew(visitor("two"), "session-2", startedAtMs + 6 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(46 * minuteMs);
    await gate.renew(visitor("three"), "session-3", nowMs + minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(46 * minuteMs);
    await gate.renew(visitor("one"), "session-1", startedAtMs - 90 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(0);
    expect(await outcomes(gate, [visitor("four")], hour)).toEqual(["quota_exceeded: day"]);
    nowMs += 24 * 60 * minuteMs;
    expect(await outcomes(gate, [visitor("four")], hour)).toEqual(["admitted"]);
  });

  test("include what the service says of a session that has ended, and of one without heartbeats", async () => {
    const gate = admission();
    await opened(gate, visitor("one"), "session-1");
    await opened(gate, visitor("two"), "session-2");
    records["session-1"] = { state: "gone", durationMs: 20 * minuteMs };
    records["session-2"] = { state: "live", durationMs: 10 * minuteMs };
    asked = [];
    await gate.release(visitor("one"), "session-1");
    expect(await gate.dayLeftMs(hour)).toBe(40 * minuteMs);
    await gate.release(visitor("one"), "session-1");
    expect(asked).toEqual(["session-1"]);
    nowMs += 20_000;
    await gate.admit(hour, visitor("three"));
    expect(asked).toEqual(["session-1", "session-2"]);
    expect(await gate.dayLeftMs(hour)).toBe(30 * minuteMs);
  });

  test("do not include a session of which the service says no duration", async () => {
    const gate = admission();
    await opened(gate, visitor("one"), "session-1");
    records["session-1"] = { state: "gone", durationMs: null };
    await gate.release(visitor("one"), "session-1");
    expect(await gate.dayLeftMs(hour)).toBe(60 * minuteMs);
  });

  test("remember a live session's time for a day, and an ended one's for ten minutes", async () => {
    const gate = admission();
    const day = context({ minutes_per_day: 10_000 });
    await opened(gate, visitor("one"), "session-1");
    await gate.renew(visitor("one"), "session-1", nowMs - 5 * minuteMs);
    nowMs += 23 * 60 * minuteMs;
    // The window of the minutes has not ended either, so only the rise is counted.
    await gate.renew(visitor("one"), "session-1", nowMs - 6 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_994 * minuteMs);
    records["session-1"] = { state: "gone", durationMs: 7 * minuteMs };
    await gate.release(visitor("one"), "session-1");
    expect(await gate.dayLeftMs(day)).toBe(9_993 * minuteMs);
    nowMs += 10 * minuteMs - 1;
    await gate.renew(visitor("one"), "session-1", nowMs - 7 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_993 * minuteMs);
    nowMs += 1;
    await gate.renew(visitor("one"), "session-1", nowMs - 7 * minuteMs);
    expect(await gate.dayLeftMs(day)).toBe(9_986 * minuteMs);
  });

  test("are asked of the service only where there is a limit, and at most once a second", async () => {
    const gate = admission({ livePerVisitor: 1 });
    await opened(gate, visitor("one"), "session-1");
    nowMs += 20_000;
    await gate.admit(context(), visitor("two"));
    expect(asked).toEqual([]);
    for (let start = 0; start < 3; start += 1) {
      await gate.admit(hour, visitor(null));
      nowMs += 400;
    }
    expect(asked).toEqual(["session-1"]);
  });

  test("include each part of a live session's time once, whoever tells it", async () => {
    const gate = admission();
    await opened(gate, visitor("one"), "session-1");
    nowMs += 20_000;
    records["session-1"] = { state: "live", durationMs: 10 * minuteMs };
    await gate.admit(hour, visitor("two"));
    nowMs += 20 * minuteMs;
    await gate.renew(visitor("one"), "session-1", nowMs - 12 * minuteMs);
    expect(await gate.dayLeftMs(hour)).toBe(48 * minuteMs);
  });

  test("keep the places of a session whose heartbeats arrive", async () => {
    const gate = admission({ livePerVisitor: 1 });
    const startedAtMs = nowMs;
    await opened(gate, visitor("one"), "session-1");
    nowMs += 23 * 60 * minuteMs;
    await gate.renew(visitor("one"), "session-1", startedAtMs);
    nowMs += 2 * 60 * minuteMs;
    expect(await outcomes(gate, [visitor("one")])).toEqual(["quota_exceeded: open"]);
  });
});
