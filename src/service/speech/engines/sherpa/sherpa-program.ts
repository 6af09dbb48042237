import type { SherpaSettings } from "./sherpa-settings.ts";
import { startProcess } from "../../workers/pool-worker.ts";
import type { SherpaArguments, SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";
import { WorkerPool } from "../../workers/worker-pool.ts";

/** The paths of sherpa-onnx and of the script that runs it. */
export interface SherpaProgram {
  /** The URL of the built script `sherpa-process`, which Node runs. */
  processUrl: URL;
  /** The result of `findSherpa`. */
  modulePath: string;
}

/** Runs the jobs of one model in its own process, which starts with the first job, and again after it ended. */
export function modelProcess(
  { processUrl, modulePath }: SherpaProgram,
  { config, timeout_sec }: Pick<SherpaSettings, "config" | "timeout_sec">,
): WorkerPool<SherpaJob, SherpaOutcome> {
  const args: SherpaArguments = [modulePath, JSON.stringify(config)];
  return new WorkerPool({
    start: () => startProcess(processUrl, args),
    size: 1,
    jobTimeoutMs: timeout_sec * 1_000,
  });
}
