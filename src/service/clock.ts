/** The clock of the service. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };
