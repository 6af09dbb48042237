import { readFileSync } from "node:fs";

/** A measured size and its time. */
interface Sample {
  atMs: number;
  megabytes: number;
}

/** Resident memory of a process in MB; NaN if it has ended. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** First, last and highest value of a series, and its growth. */
export interface MemorySummary {
  first: number;
  last: number;
  highest: number;
  /**
   * The lowest value of the last fifth minus the lowest of the second fifth; null if there are too few samples. Between
   * collections a process also holds garbage, so only the lowest values show the memory that is really used.
   */
  growth: number | null;
}

/** Sizes over time, by name. The first fifth of a run is warm-up, in which caches fill and code is compiled. */
export class MemoryRecord {
  readonly #series = new Map<string, Sample[]>();

  add(name: string, megabytes: number): void {
    if (!Number.isFinite(megabytes)) return;
    const samples = this.#series.get(name) ?? [];
    samples.push({ atMs: performance.now(), megabytes });
    this.#series.set(name, samples);
  }

  get names(): string[] {
    return [...this.#series.keys()];
  }

  summary(name: string): MemorySummary {
    const sizes = (this.#series.get(name) ?? []).map(({ megabytes }) => megabytes);
    const fifth = Math.floor(sizes.length / 5);
    return {
      first: sizes[0] ?? Number.NaN,
      last: sizes.at(-1) ?? Number.NaN,
      highest: Math.max(...sizes),
      growth:
        fifth < 2 ? null : Math.min(...sizes.slice(-fifth)) - Math.min(...sizes.slice(fifth, 2 * fifth)),
    };
  }
}
