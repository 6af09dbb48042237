/** The result of trying a part of the service. */
export interface Trial {
  outcome: "ok" | "warning" | "failed";
  /** What happened, in one sentence. */
  detail: string;
  /** What the operator can do about it; null if nothing has to be done. */
  remedy: string | null;
  /** The time until the first word or sound, in ms. */
  firstMs?: number;
  /** What a model said or a recognizer heard. */
  said?: string;
}

/** How long one trial may take, in ms. */
export const trialMs = 20_000;

/** A trial that succeeded. */
export const succeeded = (detail: string, measured: Pick<Trial, "firstMs" | "said"> = {}): Trial => ({
  outcome: "ok",
  detail,
  remedy: null,
  ...measured,
});

/** A trial that found something that works, but not for everybody. */
export const warned = (detail: string, remedy: string): Trial => ({ outcome: "warning", detail, remedy });

/** A trial that failed. */
export const failed = (detail: string, remedy: string): Trial => ({ outcome: "failed", detail, remedy });

/** The time since `startedMs` (of `performance.now()`), in words. */
export function timeSince(startedMs: number): string {
  const ms = performance.now() - startedMs;
  return ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
