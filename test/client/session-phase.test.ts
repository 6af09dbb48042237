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
