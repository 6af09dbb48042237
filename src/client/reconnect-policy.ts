/** When to try again. Attempts count from 1; null gives up. */
export interface ReconnectPolicy {
  /** How many attempts there are at most, for "2 of 10". */
  readonly maxAttempts: number;
  nextDelayMs(context: { attempt: number; elapsedMs: number }): number | null;
}

/** Even where each attempt fails at once, these last for the whole limit. */
const ladderMs = [0, 300, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000, 7_000] as const;
const limitMs = 60_000;
const jitterMs = 1_000;

/** At once, then ever later, with jitter from the third attempt on; nothing more after 60 s. */
export const defaultReconnectPolicy: ReconnectPolicy = {
  maxAttempts: ladderMs.length,
  nextDelayMs({ attempt, elapsedMs }) {
    const delayMs = ladderMs[attempt - 1];
    if (delayMs === undefined || elapsedMs >= limitMs) return null;
    return attempt < 3 ? delayMs : delayMs + Math.random() * jitterMs;
  },
};
