/** When to try again. Attempts count from 1. Null: give up. */
export interface ReconnectPolicy {
  /** The largest number of attempts, for "2 of 10". */
  readonly maxAttempts: number;
  nextDelayMs(context: { attempt: number; elapsedMs: number }): number | null;
}

/** Even if each attempt fails at once, these delays fill the whole time limit. */
const ladderMs = [0, 300, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000] as const;
const limitMs = 60_000;
const jitterMs = 1_000;

/** At once, then with growing delays and from the third attempt with jitter. Gives up after 60 s. */
export const defaultReconnectPolicy: ReconnectPolicy = {
  maxAttempts: ladderMs.length,
  nextDelayMs({ attempt, elapsedMs }) {
    const delayMs = ladderMs[attempt - 1];
    if (delayMs === undefined || elapsedMs >= limitMs) return null;
    return attempt < 3 ? delayMs : delayMs + Math.random() * jitterMs;
  },
};
