import { parentPort } from "node:worker_threads";
import { errorMessage } from "../../faults/error-message.ts";
import { alignSpeech } from "../alignment/align-speech.ts";
import { AudioError } from "../../audio/decoded-audio.ts";
import type { AudioJob, AudioOutcome } from "./audio-worker-messages.ts";
import { decodeRecording } from "../../audio/decode-audio.ts";
import { evenLoudness } from "../../audio/loudness.ts";
import { trimmedSpeech } from "../synthesis/speech-samples.ts";
import { sampleMemory } from "../../audio/growing-pcm.ts";

/** Entry of the worker threads that decode and align audio: one job in, one outcome out, in order. */

async function run(job: AudioJob): Promise<AudioOutcome> {
  try {
    if (job.kind === "decode") return { kind: "decoded", audio: await decodeRecording(job.bytes) };
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
  void run(job).then((outcome) => parentPort?.postMessage(outcome, samplesOf(outcome)));
});
