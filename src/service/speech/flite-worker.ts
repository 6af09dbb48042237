import { parentPort, workerData } from "node:worker_threads";
import { pronounce, speak } from "./flite-program.ts";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { WasiProgram } from "./wasi-host.ts";

/** Entry of the worker threads that run Flite: one job in, one outcome out, in order. */

const flite = new WasiProgram((workerData as FliteWorkerData).flite);

function run(job: FliteJob): FliteOutcome {
  try {
    return job.type === "speak"
      ? { ok: true, type: "speak", speech: speak(flite, job.text, job.voice) }
      : { ok: true, type: "pronounce", pronunciations: pronounce(flite, job.words) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (job: FliteJob) => {
  const outcome = run(job);
  const moved = outcome.ok && outcome.type === "speak" ? [outcome.speech.pcm.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(outcome, moved);
  // The memory of an instance that waits is a good part of what an idle service takes.
  if (job.type !== "speak" || !job.isRehearsal) setImmediate(() => flite.prepare());
});
