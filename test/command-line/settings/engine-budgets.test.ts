import { expect, test } from "vitest";
import { readEngineBudgets } from "../../../src/command-line/settings/limits.ts";

test("limits what sessions ask of engines, and lets each limit be set or turned off", () => {
  expect(readEngineBudgets({})).toEqual({
    session: { turnsAtOnce: 1, turnsPerMinute: 20, charactersPerMinute: 6_000, recognitionsPerMinute: 30 },
    context: { turnsPerDay: 5_000, charactersPerDay: 2_000_000 },
  });
  const set = {
    VISAVIS_SESSION_TURNS_AT_ONCE: "2",
    VISAVIS_SESSION_TURNS_PER_MINUTE: "off",
    VISAVIS_SESSION_CHARACTERS_PER_MINUTE: "0",
    VISAVIS_SESSION_RECOGNITIONS_PER_MINUTE: "5",
    VISAVIS_CONTEXT_TURNS_PER_DAY: "100",
    VISAVIS_CONTEXT_CHARACTERS_PER_DAY: "OFF",
  };
  expect(readEngineBudgets(set)).toEqual({
    session: {
      turnsAtOnce: 2,
      turnsPerMinute: Infinity,
      charactersPerMinute: Infinity,
      recognitionsPerMinute: 5,
    },
    context: { turnsPerDay: 100, charactersPerDay: Infinity },
  });
  for (const text of ["-1", "1.5", "many"])
    expect(() => readEngineBudgets({ VISAVIS_CONTEXT_TURNS_PER_DAY: text })).toThrow(/or off for no limit/);
});
