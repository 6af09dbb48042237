import { describe, expect, it } from "vitest";
import { faultsOf, lostEvents, type SessionOutcome } from "../../bench/soak/report-ledger.ts";

const clean: SessionOutcome = {
  id: "0123456789abcdef",
  confirmed: ["SESSION_START", "SESSION_DURING", "SESSION_END"],
  stored: ["SESSION_START", "SESSION_DURING", "SESSION_END"],
  terminationReason: "GRACEFUL_TERMINATION",
  asked: 2,
  answered: 2,
  closedTab: false,
};

describe("the soak test's check of a session", () => {
  it("finds nothing wrong with a session that started, talked and ended once", () => {
    expect(faultsOf(clean)).toEqual([]);
  });

  it("expects no END from a tab that was closed", () => {
    const stored = ["SESSION_START", "SESSION_DURING"];
    expect(faultsOf({ ...clean, confirmed: stored, stored, closedTab: true })).toEqual([]);
    expect(faultsOf({ ...clean, closedTab: true }).join()).toContain("1 END instead of 0");
  });

  it("counts confirmed events that are not stored, each as often as it was confirmed", () => {
    const confirmed = ["SESSION_START", "SESSION_DURING", "SESSION_DURING", "SESSION_END"];
    expect(lostEvents({ confirmed, stored: clean.stored })).toBe(1);
    expect(faultsOf({ ...clean, confirmed })).toEqual([expect.stringContaining("1 confirmed events")]);
  });

  it.each([
    ["two ENDs", { stored: [...clean.stored, "SESSION_END"] }, "2 END"],
    ["no END", { stored: ["SESSION_START"], confirmed: ["SESSION_START"] }, "0 END"],
    ["an end by the lease", { terminationReason: "SESSION_LOST_AFTER_CONNECTION" }, "ended by SESSION_LOST"],
    ["a session that never ended", { terminationReason: null }, "ended by nothing"],
    ["a question without an answer", { answered: 1 }, "1 of 2 questions"],
  ])("tells of %s", (_name, change, fault) => {
    expect(faultsOf({ ...clean, ...change }).join()).toContain(fault);
  });
});
