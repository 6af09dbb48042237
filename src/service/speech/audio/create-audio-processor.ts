import { AudioError } from "../../audio/decoded-audio.ts";
import type { AudioProcessor, AudioJobContext, UntimedSpeech } from "./audio-processor.ts";
import type { AudioJob, AudioOutcome } from "./audio-worker-messages.ts";
import { SpeechError } from "../speech-error.ts";
import type { Speech, SpeechSynthesizer } from "../speech-synthesizer.ts";
import { startThread } from "../workers/pool-worker.ts";
import { WorkerPool } from "../workers/worker-pool.ts";

/** Ten minutes of audio take a few seconds. This limit stops a job that never ends. */
const jobTimeoutMs = 60_000;

/** Options of an audio processor. */
export interface AudioProcessorOptions {
  /** The URL of the built script `audio-worker`. */
  workerUrl: URL;
  /** Speaks texts with timings, for comparison. */
  reference: SpeechSynthesizer;
  /** The voice of the reference. */
  referenceVoice: string;
  /** How many threads work at once. Default 1. */
  workers?: number;
}

/** Decodes and aligns audio in worker threads. */
export function createAudioProcessor({
  workerUrl,
  reference,
  referenceVoice,
  workers = 1,
}: AudioProcessorOptions): AudioProcessor {
  const pool = new WorkerPool<AudioJob, AudioOutcome>({
    start: () => startThread(workerUrl, null),
    size: workers,
    jobTimeoutMs,
  });

  /** The text in the reference's voice; null when this voice cannot speak it. */
  async function comparison(text: string, order: AudioJobContext): Promise<Speech | null> {
    if (text.trim() === "") return null;
    try {
      return await reference.synthesize({ text, voice: referenceVoice, ...order });
    } catch (error) {
      if (error instanceof SpeechError) return null;
      throw error;
    }
  }

  return {
    async decode(bytes, order) {
      if (bytes.length === 0) throw new AudioError("empty", "The file is empty.");
      const outcome = await pool.run({ kind: "decode", bytes }, { ...order });
      if (outcome.kind === "decoded") return outcome.audio;
      if (outcome.kind === "unusable") throw new AudioError(outcome.code, outcome.detail);
      throw unexpected(outcome);
    },
    async align({ pcm, sampleRateHz, text }: UntimedSpeech, order = {}) {
      const input = { pcm, sampleRateHz, text, reference: await comparison(text, order) };
      const outcome = await pool.run({ kind: "align", input }, { ...order });
      if (outcome.kind === "aligned") return outcome.speech;
      throw unexpected(outcome);
    },
    async finish({ pcm, sampleRateHz, text }: UntimedSpeech, order = {}) {
      const input = { pcm, sampleRateHz, text, reference: await comparison(text, order) };
      const outcome = await pool.run({ kind: "finish", input }, { ...order });
      if (outcome.kind === "finished") return outcome.speech;
      throw unexpected(outcome);
    },
    close: () => pool.close(),
  };
}

function unexpected(outcome: AudioOutcome): Error {
  return new Error(
    outcome.kind === "failed" ? outcome.detail : "The audio worker gave an answer of another kind.",
  );
}
