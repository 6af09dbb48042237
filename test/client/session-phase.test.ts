import fc from "fast-check";
import { expect, test } from "vitest";
import { callOf, nextPhase, type PhaseSignal, type SessionPhase } from "../../src/client/session-phase.ts";
import { VisavisError } from "../../src/client/visavis-error.ts";

const error = new VisavisError("network", "Gone.");
const signals: PhaseSignal<string>[] = [
  { type: "start" },
  { type: "created", call: "call" },
  { type: "connected" },
  { type: "link-lost" },
  { type: "finished", reason: "over" },
  { type: "failed", error },
  { type: "over" },
];
const after = (...kinds: PhaseSignal<string>["type"][]): SessionPhase<string> =>
  kinds.reduce<SessionPhase<string>>(
    (phase, kind) =>
      nextPhase(
        phase,
        signals.find(({ type }) => type === kind)!,
      ),
    { state: "idle" },
  );

test("goes from connecting to live, and from reconnecting back to live", () => {
  expect(after("start")).toEqual({ state: "connecting", call: null });
  expect(after("start", "created", "connected")).toEqual({ state: "live", call: "call" });
  expect(after("start", "created", "connected", "link-lost").state).toBe("reconnecting");
  expect(after("start", "created", "connected", "link-lost", "connected").state).toBe("live");
});

test("is not live before it has a connection", () => {
  expect(after("start", "connected").state).toBe("connecting");
});

test("ends once, with the first reason, and can start again afterwards", () => {
  expect(after("start", "finished", "failed")).toEqual({ state: "ended", reason: "over" });
  expect(after("start", "failed", "finished")).toEqual({ state: "error", error });
  expect(after("start", "failed", "start").state).toBe("connecting");
  expect(after("finished").state).toBe("idle");
});

test("is not started again while it starts, is live or recovers, and keeps its first call", () => {
  for (const order of [
    ["start"],
    ["start", "created"],
    ["start", "created", "connected"],
    ["start", "created", "connected", "link-lost"],
  ] as const) {
    const phase = after(...order);
    expect(nextPhase(phase, { type: "start" })).toBe(phase);
    if (callOf(phase) !== null) expect(nextPhase(phase, { type: "created", call: "other" })).toBe(phase);
  }
});

test.each([
  ["finished", { state: "ended", reason: "over" }],
  ["failed", { state: "error", error }],
  ["over", { state: "idle" }],
] as const)("by %s leaves each phase in which it is active, and no other", (kind, expected) => {
  expect(after("start", kind)).toEqual(expected);
  expect(after("start", "created", "connected", kind)).toEqual(expected);
  expect(after("start", "created", "connected", "link-lost", kind)).toEqual(expected);
  expect(after("start", "finished", kind)).toEqual({ state: "ended", reason: "over" });
});

test("has a call only from its start on, and loses only the link of a live one", () => {
  expect(after("start", "created")).toEqual({ state: "connecting", call: "call" });
  expect(after("created")).toEqual({ state: "idle" });
  expect(after("start", "finished", "created").state).toBe("ended");
  expect(after("start", "link-lost").state).toBe("connecting");
  expect(after("start", "created", "link-lost").state).toBe("connecting");
  const live = after("start", "created", "connected");
  expect(nextPhase(live, { type: "connected" })).toBe(live);
});

test("has a connection when live or reconnecting, and none when idle or finished, for any order of signals", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...signals)), (order) => {
      const phase = order.reduce<SessionPhase<string>>(nextPhase, { state: "idle" });
      if (phase.state === "live" || phase.state === "reconnecting") expect(callOf(phase)).toBe("call");
      if (phase.state === "idle" || phase.state === "ended" || phase.state === "error")
        expect(callOf(phase)).toBeNull();
    }),
  );
});
