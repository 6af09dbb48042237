import { parentPort, workerData } from "node:worker_threads";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { UtteranceMaker } from "./utterance.ts";

/** Entry of the worker threads that run Flite: one job in, one outcome out, in order. */

const maker = new UtteranceMaker((workerData as FliteWorkerData).flite);

function run({ tokens, voice }: FliteJob): FliteOutcome {
  try {
    return { ok: true, speech: maker.make(tokens, voice) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (job: FliteJob) => {
  const outcome = run(job);
  parentPort?.postMessage(outcome, outcome.ok ? [outcome.speech.pcm.buffer as ArrayBuffer] : []);
});
