import { parentPort } from "node:worker_threads";
import { alignSpeech } from "./align-speech.ts";
import { AudioError } from "./audio-error.ts";
import type { AudioJob, AudioOutcome } from "./audio-worker-messages.ts";
import { decodeAudio } from "./decode-audio.ts";

/** Entry of the worker threads that decode and align audio: one job in, one outcome out, in order. */

function run(job: AudioJob): AudioOutcome {
  try {
    if (job.kind === "decode") return { kind: "decoded", audio: decodeAudio(job.bytes) };
    return { kind: "aligned", speech: alignSpeech(job.input) };
  } catch (error) {
    if (error instanceof AudioError) return { kind: "unusable", code: error.code, detail: error.message };
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (job: AudioJob) => {
  const outcome = run(job);
  parentPort?.postMessage(
    outcome,
    outcome.kind === "decoded" ? [outcome.audio.pcm.buffer as ArrayBuffer] : [],
  );
});
