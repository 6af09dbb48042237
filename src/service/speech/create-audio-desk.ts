import { AudioError } from "./audio-error.ts";
import type { AudioDesk, AudioOrder, UntimedSpeech } from "./audio-desk.ts";
import type { AudioJob, AudioOutcome } from "./audio-worker-messages.ts";
import { SpeechError } from "./speech-error.ts";
import type { Speech, SpeechSynthesizer } from "./speech-synthesizer.ts";
import { startThread } from "./pool-worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** Ten minutes of audio take a few seconds; this is for a job that never ends. */
const jobTimeoutMs = 60_000;

/** What the audio desk is made from. */
export interface AudioDeskOptions {
  /** Where `audio-worker` lies, built as a script that Node runs. */
  workerUrl: URL;
  /** Says texts with timings, for comparison. */
  reference: SpeechSynthesizer;
  /** The reference's voice. */
  referenceVoice: string;
  /** How many threads work at once. Default 1. */
  workers?: number;
}

/** Decodes and aligns audio in worker threads. */
export function createAudioDesk({
  workerUrl,
  reference,
  referenceVoice,
  workers = 1,
}: AudioDeskOptions): AudioDesk {
  const pool = new WorkerPool<AudioJob, AudioOutcome>({
    start: () => startThread(workerUrl, null),
    size: workers,
    jobTimeoutMs,
  });

  /** The text in the reference's voice; null where it cannot say it. */
  async function comparison(text: string, order: AudioOrder): Promise<Speech | null> {
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
      throw new Error(
        outcome.kind === "failed" ? outcome.detail : "The audio worker answered something else.",
      );
    },
    async align({ pcm, sampleRateHz, text }: UntimedSpeech, order = {}) {
      const input = { pcm, sampleRateHz, text, reference: await comparison(text, order) };
      const outcome = await pool.run({ kind: "align", input }, { ...order });
      if (outcome.kind === "aligned") return outcome.speech;
      throw new Error(
        outcome.kind === "failed" ? outcome.detail : "The audio worker answered something else.",
      );
    },
    close: () => pool.close(),
  };
}
