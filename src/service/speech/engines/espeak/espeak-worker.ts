import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../../faults/error-message.ts";
import type { EspeakJob, EspeakOutcome, EspeakWorkerData } from "./espeak-worker-messages.ts";
import { evenLoudness } from "../../../audio/loudness.ts";
import { sampleMemory } from "../../../audio/growing-pcm.ts";
import { trimmedSpeech } from "../../synthesis/speech-samples.ts";
import { startEspeak } from "./espeak-program.ts";

/** Entry of the worker thread that runs eSpeak NG: one job in, one outcome out, in order. */

// eslint-disable-next-line no-restricted-syntax -- the service starts this thread with it
const { modulePath } = workerData as EspeakWorkerData;
const started = startEspeak(modulePath);
// A failed start is reported with the first job.
started.catch(() => undefined);

async function run({ text, voice, manner }: EspeakJob): Promise<EspeakOutcome> {
  try {
    const speech = (await started)(text, voice, manner);
    return {
      ok: true,
      speech: trimmedSpeech({ ...speech, pcm: evenLoudness(speech.pcm, speech.sampleRateHz) }),
    };
  } catch (error) {
    return { ok: false, detail: errorMessage(error) };
  }
}

parentPort?.on("message", (job: EspeakJob) => {
  void run(job).then((outcome) =>
    parentPort?.postMessage(outcome, outcome.ok ? sampleMemory(outcome.speech.pcm) : []),
  );
});
