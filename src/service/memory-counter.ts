import type { Clock } from "./clock.ts";
import type { Counter, CounterWindow } from "./counter.ts";

const firstSweepAt = 1_000;

/** Counts in the memory of this process. Windows that are over are dropped whenever their number has doubled. */
export function createMemoryCounter(clock: Clock): Counter {
  const windows = new Map<string, CounterWindow>();
  let sweepAt = firstSweepAt;

  function sweep(nowMs: number): void {
    for (const [key, { resetAtMs }] of windows) if (resetAtMs <= nowMs) windows.delete(key);
    sweepAt = Math.max(firstSweepAt, windows.size * 2);
  }

  return {
    add(key, amount, windowMs) {
      const nowMs = clock.nowMs();
      const current = windows.get(key);
      if (current && current.resetAtMs > nowMs) {
        current.total += amount;
        return Promise.resolve({ ...current });
      }
      const opened = { total: amount, resetAtMs: nowMs + windowMs };
      if (windows.size >= sweepAt) sweep(nowMs);
      windows.set(key, opened);
      return Promise.resolve({ ...opened });
    },
  };
}
