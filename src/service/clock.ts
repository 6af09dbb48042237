/** Where the service takes the time from; tests give a clock of their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
