import { readFileSync } from "node:fs";
import { percentile } from "../table.ts";

/** One measured size at one time. */
interface Sample {
  atMs: number;
  megabytes: number;
}

/** Resident memory of a process in MB; NaN when it is gone. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** Start, end and highest of a series, and how much of it stays. */
export interface MemorySummary {
  first: number;
  last: number;
  highest: number;
  /** Median of the last fifth above the median of the second fifth; null when there are too few samples. */
  growth: number | null;
}

/** Sizes over time by name. The first fifth of a run is warm-up: caches fill and code is compiled. */
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
        fifth < 2
          ? null
          : percentile(sizes.slice(-fifth), 50) - percentile(sizes.slice(fifth, 2 * fifth), 50),
    };
  }
}
