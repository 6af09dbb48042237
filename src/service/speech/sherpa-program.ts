import type { SherpaSettings } from "./engine-settings.ts";
import { startProcess } from "./pool-worker.ts";
import type { SherpaArguments, SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";
import { WorkerPool } from "./worker-pool.ts";

/** Where sherpa-onnx and what runs it lie. */
export interface SherpaProgram {
  /** Where `sherpa-process` lies, built as a script that Node runs. */
  processUrl: URL;
  /** From `findSherpa`. */
  modulePath: string;
}

/** Jobs for one model, which has a process of its own that starts with the first job, and again after it ended. */
export function modelProcess(
  { processUrl, modulePath }: SherpaProgram,
  { config, timeout_sec }: SherpaSettings,
): WorkerPool<SherpaJob, SherpaOutcome> {
  const args: SherpaArguments = [modulePath, JSON.stringify(config)];
  return new WorkerPool({
    start: () => startProcess(processUrl, args),
    size: 1,
    jobTimeoutMs: timeout_sec * 1_000,
  });
}
