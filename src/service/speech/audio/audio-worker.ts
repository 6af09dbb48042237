import { parentPort } from "node:worker_threads";
import { errorMessage } from "../../error-message.ts";
import { alignSpeech } from "../alignment/align-speech.ts";
import { AudioError } from "../../audio/audio-error.ts";
import type { AudioJob, AudioOutcome } from "./audio-worker-messages.ts";
import { decodeAudio } from "../../audio/decode-audio.ts";
import { evenLoudness } from "../../audio/even-loudness.ts";
import { trimmedSpeech } from "../synthesis/trimmed-speech.ts";
import { sampleMemory } from "../../audio/sample-memory.ts";

/** Entry of the worker threads that decode and align audio: one job in, one outcome out, in order. */

function run(job: AudioJob): AudioOutcome {
  try {
    if (job.kind === "decode") return { kind: "decoded", audio: decodeAudio(job.bytes) };
    const aligned = alignSpeech(job.input);
    if (job.kind === "align") return { kind: "aligned", speech: aligned };
    const { pcm, sampleRateHz } = job.input;
    const speech = { sampleRateHz, pcm: evenLoudness(pcm, sampleRateHz), ...aligned };
    return { kind: "finished", speech: trimmedSpeech(speech) };
  } catch (error) {
    if (error instanceof AudioError) return { kind: "unusable", code: error.code, detail: error.message };
    return { kind: "failed", detail: errorMessage(error) };
  }
}

function samplesOf(outcome: AudioOutcome): ArrayBuffer[] {
  if (outcome.kind === "decoded") return sampleMemory(outcome.audio.pcm);
  return outcome.kind === "finished" ? sampleMemory(outcome.speech.pcm) : [];
}

parentPort?.on("message", (job: AudioJob) => {
  const outcome = run(job);
  parentPort?.postMessage(outcome, samplesOf(outcome));
});
