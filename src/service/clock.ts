import { uptime } from "node:os";

/** The clock of the service. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** The machine's clocks. */
interface MachineClocks {
  /** The time of day, which somebody may set. */
  dayMs(): number;
  /** How long the machine has run, also asleep. Nobody sets it. It is read at most once a second: on Linux it is a file. */
  runningMs(): number;
}

const readEveryMs = 1_000;
/** Corrections of time servers are smaller, or slower. */
const stepMs = 5_000;
/** A larger step is a clock that was wrong before, as at the start of a machine without a battery. */
const longestStepMs = 24 * 3_600_000;
/** The share of the time by which this clock runs faster or slower until it agrees with the machine's again. */
const pace = 0.1;

/**
 * The time of day, without steps: when the machine's clock is set while sessions run, this one goes on and comes to agree with it in
 * time. Otherwise leases, tokens and windows of limits would all be over at once, or not for as long as the clock was set back, and
 * the minutes of sessions would be wrong.
 */
export function createSteadyClock({ dayMs, runningMs }: MachineClocks): Clock {
  let read = { dayMs: dayMs(), runningMs: runningMs() };
  /** How far this clock was from the machine's at that moment. */
  let awayMs = 0;

  /** How far it is after that time. */
  const awayAfter = (passedMs: number): number =>
    Math.sign(awayMs) * Math.max(0, Math.abs(awayMs) - pace * passedMs);

  function check(day: number): void {
    const running = runningMs();
    const passed = running - read.runningMs;
    const step = day - read.dayMs - passed;
    const away = awayAfter(passed) - (Math.abs(step) < stepMs ? 0 : step);
    awayMs = Math.abs(away) > longestStepMs ? 0 : away;
    read = { dayMs: day, runningMs: running };
  }

  return {
    nowMs() {
      const day = dayMs();
      const passed = day - read.dayMs;
      const isDue = passed < 0 || passed >= readEveryMs;
      if (isDue) check(day);
      return Math.round(day + (isDue ? awayMs : awayAfter(passed)));
    },
  };
}

/** The clock of the machine. */
export const systemClock = createSteadyClock({ dayMs: () => Date.now(), runningMs: () => uptime() * 1_000 });
