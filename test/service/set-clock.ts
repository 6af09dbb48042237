import { createSteadyClock } from "../../src/service/clock.ts";

/** A machine whose clock somebody sets. */
export function machine() {
  let dayMs = Date.UTC(2026, 0, 1);
  let runningMs = 1_000;
  const clock = createSteadyClock({ dayMs: () => dayMs, runningMs: () => runningMs });
  return {
    clock,
    dayMs: () => dayMs,
    /** Lets time go by, in steps of a second as a running service looks at its clock. */
    pass(sec: number) {
      for (let passed = 0; passed < sec; passed += 1) {
        dayMs += 1_000;
        runningMs += 1_000;
        clock.nowMs();
      }
    },
    /** Sleeps: nothing looks at the clock meanwhile. */
    sleep(sec: number) {
      dayMs += sec * 1_000;
      runningMs += sec * 1_000;
    },
    /** Sets the machine's clock forth, or back. */
    set(sec: number) {
      dayMs += sec * 1_000;
    },
  };
}
