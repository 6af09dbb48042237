import { beforeEach, describe, expect, test } from "vitest";
import { LivePlaces, type SessionRecord, type Visitor } from "../../../src/relay/sessions/live-places.ts";
import { MemoryCounter } from "../../../src/relay/limits/memory-counter.ts";
import { defaultRelayLimits, type RelayLimits } from "../../../src/relay/relay-deps.ts";

const dayMs = 24 * 60 * 60_000;
const live: SessionRecord = { state: "live", durationMs: 5_000 };
const gone: SessionRecord = { state: "gone", durationMs: 7_000 };
const unknown: SessionRecord = { state: "unknown", durationMs: null };

let nowMs: number;
let records: Record<string, SessionRecord>;
let asked: string[];
let told: string[];
/** How many questions to the service are open, and the most at once. */
let open: number;
let mostOpen: number;

beforeEach(() => {
  nowMs = 1_000_000;
  [records, asked, told] = [{}, [], []];
  [open, mostOpen] = [0, 0];
});

function places(limits: Partial<RelayLimits>): LivePlaces {
  return new LivePlaces({
    counter: new MemoryCounter(() => nowMs),
    limits: { ...defaultRelayLimits, ...limits },
    now: () => nowMs,
    read: async (sessionId) => {
      asked.push(sessionId);
      mostOpen = Math.max(mostOpen, ++open);
      await Promise.resolve();
      open -= 1;
      return records[sessionId] ?? unknown;
    },
    onRecord: (contextId, sessionId, { state }) => {
      told.push(`${contextId} ${sessionId} ${state}`);
      return Promise.resolve();
    },
  });
}

const visitor = (visitorId: string | null, address: string | null = "address-1"): Visitor => ({
  contextId: "ctx",
  address,
  visitorId,
});

/** What each of these visitors is told in turn: the limit that refuses a place; null if there is one. */
async function refusals(of: LivePlaces, ...visitors: readonly Visitor[]): Promise<unknown[]> {
  const told: unknown[] = [];
  for (const who of visitors)
    await of.take(who).then(
      () => told.push(null),
      (error: unknown) => told.push((error as { limit: unknown }).limit),
    );
  return told;
}

async function session(of: LivePlaces, who: Visitor, sessionId: string): Promise<void> {
  await of.confirm(who, await of.take(who), sessionId);
}

describe("places", () => {
  test.each<[keyof RelayLimits, string, Visitor, Visitor]>([
    ["livePerVisitor", "open", visitor("one", "address-2"), visitor("two")],
    ["livePerAddress", "busy", visitor("two"), visitor("one", "address-2")],
    ["livePerContext", "busy", visitor("two", "address-2"), { ...visitor("one"), contextId: "other" }],
  ])("are limited by %s", async (limit, full, same, other) => {
    const of = places({ [limit]: 1 });
    await session(of, visitor("one"), "session-1");
    expect(await refusals(of, same, other)).toEqual([full, null]);
  });

  test("that were taken before another was full are given back", async () => {
    const of = places({ livePerVisitor: 1, livePerAddress: 1 });
    await session(of, visitor("one"), "session-1");
    expect(await refusals(of, visitor("two"), visitor("two", "address-2"))).toEqual(["busy", null]);
  });

  test("of unknown visitors and addresses are only the context's", async () => {
    const of = places({ livePerVisitor: 1, livePerAddress: 1, livePerContext: 2 });
    expect(await refusals(of, visitor(null, null), visitor(null, null), visitor(null, null))).toEqual([
      null,
      null,
      "busy",
    ]);
  });

  test("are held for a minute while a session is created, then for a day by the session", async () => {
    const of = places({ livePerVisitor: 1 });
    await of.take(visitor("one"));
    nowMs += 59_999;
    expect(await refusals(of, visitor("one"))).toEqual(["open"]);
    nowMs += 1;
    await session(of, visitor("one"), "session-1");
    nowMs += dayMs - 1;
    expect(await refusals(of, visitor("one"))).toEqual(["open"]);
    nowMs += 1;
    expect(await refusals(of, visitor("one"))).toEqual([null]);
  });

  test("are given back once", async () => {
    const of = places({ livePerVisitor: 1 });
    await session(of, visitor("one"), "session-1");
    expect(await of.release(visitor("one"), "session-1")).toBe(true);
    expect(await of.release(visitor("one"), "session-1")).toBe(false);
    expect(await refusals(of, visitor("one"))).toEqual([null]);
  });

  test("of a live session are kept, even if all are taken", async () => {
    const of = places({ livePerVisitor: 1 });
    await session(of, visitor("one"), "session-1");
    await of.keep(visitor("one"), "session-2");
    await of.release(visitor("one"), "session-1");
    expect(await refusals(of, visitor("one"))).toEqual(["open"]);
  });

  test("are still the context's where the visitor's are lost", async () => {
    const of = places({ livePerVisitor: 1 });
    await session(of, visitor(null, null), "session-1");
    expect(await of.release(visitor("one"), "session-1")).toBe(true);
    await session(of, visitor("one"), "session-2");
    expect(await of.release({ ...visitor("one"), contextId: "other" }, "session-2")).toBe(false);
  });
});

describe("a place that nobody renews", () => {
  test("is free when the service says that its session has ended, and the context's record is told", async () => {
    const of = places({ livePerContext: 1 });
    await session(of, visitor("one"), "session-1");
    records["session-1"] = gone;
    nowMs += 14_999;
    expect(await refusals(of, visitor("two"))).toEqual(["busy"]);
    expect(asked).toEqual([]);
    nowMs += 1_000;
    expect(await refusals(of, visitor("two"))).toEqual([null]);
    expect([asked, told]).toEqual([["session-1"], ["ctx session-1 gone"]]);
  });

  test("is asked about at 15 s after its last heartbeat", async () => {
    const of = places({ livePerContext: 1 });
    await session(of, visitor("one"), "session-1");
    records["session-1"] = gone;
    nowMs += 15_000;
    expect(await refusals(of, visitor("two"))).toEqual([null]);
  });

  test("is kept by a live session, and by one of which the service says nothing", async () => {
    const of = places({ livePerContext: 2 });
    await session(of, visitor("one"), "session-1");
    await session(of, visitor("two"), "session-2");
    records = { "session-1": live, "session-2": unknown };
    nowMs += 20_000;
    expect(await refusals(of, visitor("three"))).toEqual(["busy"]);
    expect(told).toEqual(["ctx session-1 live"]);
    nowMs += 2_000;
    expect(await refusals(of, visitor("three"))).toEqual(["busy"]);
    // The live one was renewed by the answer.
    expect(asked).toEqual(["session-1", "session-2", "session-2"]);
  });

  test("of a visitor tells nothing of its context", async () => {
    const of = places({ livePerVisitor: 1 });
    await session(of, visitor("one"), "session-1");
    records["session-1"] = gone;
    nowMs += 20_000;
    expect(await refusals(of, visitor("one"))).toEqual([null]);
    expect(told).toEqual([]);
  });

  test("is told once, even if it was given back meanwhile", async () => {
    const of = places({ livePerContext: 1 });
    await session(of, visitor("one"), "session-1");
    records["session-1"] = gone;
    nowMs += 20_000;
    const settled = of.settleContext("ctx");
    await of.release(visitor("one"), "session-1");
    await settled;
    expect(told).toEqual([]);
  });

  test("is asked about at most once a second, and once for all who ask at the same time", async () => {
    const of = places({ livePerContext: 1 });
    await session(of, visitor("one"), "session-1");
    nowMs += 20_000;
    const all = Array.from({ length: 5 }, (_, index) => refusals(of, visitor(`visitor-${index}`)));
    expect((await Promise.all(all)).flat()).toEqual(Array(5).fill("busy"));
    expect(asked).toEqual(["session-1"]);
    nowMs += 999;
    await of.settleContext("ctx");
    expect(asked).toHaveLength(1);
    nowMs += 1;
    await of.settleContext("ctx");
    expect(asked).toHaveLength(2);
    await of.settleContext("other");
    await of.settleContext("ctx");
    expect(asked).toHaveLength(2);
  });

  test("is free for each of those who wait for the same answer", async () => {
    const of = places({ livePerContext: 2 });
    await session(of, visitor("one"), "session-1");
    await session(of, visitor("two"), "session-2");
    records = { "session-1": gone, "session-2": gone };
    nowMs += 20_000;
    const waiting = [refusals(of, visitor("three")), refusals(of, visitor("four"))];
    expect(await Promise.all(waiting)).toEqual([[null], [null]]);
  });

  test("is asked about with at most nine others, those without a heartbeat for longest first", async () => {
    const of = places({ livePerContext: 100 });
    for (let index = 0; index < 12; index += 1) {
      await session(of, visitor(`visitor-${index}`), `session-${index}`);
      nowMs += 1;
    }
    nowMs += 20_000;
    await of.settleContext("ctx");
    expect(asked).toEqual(Array.from({ length: 10 }, (_, index) => `session-${index}`));
    expect(mostOpen).toBe(10);
  });

  test("of a session that is being created is not asked about", async () => {
    const of = places({ livePerContext: 1 });
    await of.take(visitor("one"));
    nowMs += 50_000;
    expect(await refusals(of, visitor("two"))).toEqual(["busy"]);
    expect(asked).toEqual([]);
  });
});
