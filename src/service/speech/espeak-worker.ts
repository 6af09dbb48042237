import { parentPort, workerData } from "node:worker_threads";
import type { EspeakJob, EspeakOutcome, EspeakWorkerData } from "./espeak-worker-messages.ts";
import { startEspeak } from "./espeak-program.ts";

/** Entry of the worker thread that runs eSpeak NG: one job in, one outcome out, in order. */

const started = startEspeak((workerData as EspeakWorkerData).modulePath);
// A failed start is told with the first job.
started.catch(() => undefined);

async function run({ text, voice }: EspeakJob): Promise<EspeakOutcome> {
  try {
    return { ok: true, speech: (await started)(text, voice) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (job: EspeakJob) => {
  void run(job).then((outcome) =>
    parentPort?.postMessage(outcome, outcome.ok ? [outcome.speech.pcm.buffer as ArrayBuffer] : []),
  );
});
