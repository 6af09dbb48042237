import fc from "fast-check";
import { expect, test } from "vitest";
import { nextReport, type ReportPhase, type ReportTrigger } from "../../../src/client/care/heartbeat.ts";

function reportsOf(triggers: ReportTrigger[]): string[] {
  let phase: ReportPhase = "new";
  return triggers.flatMap((trigger) => {
    const next = nextReport(phase, trigger);
    phase = next.phase;
    return next.event ?? [];
  });
}

test("reports start, heartbeats and end in order", () => {
  expect(reportsOf(["connected", "beat", "connected", "beat", "end", "beat"])).toEqual([
    "SESSION_START",
    "SESSION_DURING",
    "SESSION_DURING",
    "SESSION_END",
  ]);
});

test("reports the end of a session that never connected, so that its place becomes free", () => {
  expect(reportsOf(["end"])).toEqual(["SESSION_END"]);
});

test("reports at most one START, at most one end, and nothing after an end or a termination, for any order of signals", () => {
  const triggers: ReportTrigger[] = ["connected", "beat", "end", "fail", "terminated"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...triggers)), (order) => {
      const reports = reportsOf(order);
      const last = reports.findIndex((event) => event === "SESSION_END" || event === "SESSION_ERROR");
      expect(reports.filter((event) => event === "SESSION_START").length).toBeLessThanOrEqual(1);
      if (last >= 0) expect(last).toBe(reports.length - 1);
      const ending = order.findIndex((trigger) => ["end", "fail", "terminated"].includes(trigger));
      if (ending >= 0 && order[ending] === "terminated") expect(last).toBe(-1);
    }),
  );
});
