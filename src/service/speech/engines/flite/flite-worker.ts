import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../../faults/error-message.ts";
import { sampleMemory } from "../../../audio/growing-pcm.ts";
import { evenLoudness } from "../../../audio/loudness.ts";
import { pronounce, speak, type FliteSpeech } from "./flite-program.ts";
import type { FliteJob, FliteOutcome, FliteWorkerData } from "./flite-worker-messages.ts";
import { WasiProgram } from "./wasi-host.ts";

/** Entry of the worker threads that run Flite: one job in, one outcome out, in order. */

// eslint-disable-next-line no-restricted-syntax -- the service starts this thread with it
const data = workerData as FliteWorkerData;
const flite = new WasiProgram(data.flite);

/** All voices are equally loud. */
function evened(speech: FliteSpeech): FliteSpeech {
  return { ...speech, pcm: evenLoudness(speech.pcm, speech.sampleRateHz) };
}

function run(job: FliteJob): FliteOutcome {
  try {
    return job.type === "speak"
      ? { ok: true, type: "speak", speech: evened(speak(flite, job)) }
      : { ok: true, type: "pronounce", pronunciations: pronounce(flite, job.words) };
  } catch (error) {
    return { ok: false, detail: errorMessage(error) };
  }
}

parentPort?.on("message", (job: FliteJob) => {
  const outcome = run(job);
  const moved = outcome.ok && outcome.type === "speak" ? sampleMemory(outcome.speech.pcm) : [];
  parentPort?.postMessage(outcome, moved);
  // A thread starts only when somebody speaks or will do so soon, so that another job follows.
  setImmediate(() => flite.prepare());
});
