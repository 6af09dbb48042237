import { resample } from "../../../audio/resampler.ts";
import type { VoiceActivity } from "../../speech-recognizer.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";

/** The only sample rate that Silero supports. */
const sileroRateHz = 16_000;

/** Silero's configuration for sherpa-onnx. Short words such as "no" count as speech, and short pauses belong to it. */
export function sileroConfig(modelFile: string): Record<string, unknown> {
  return {
    sileroVad: {
      model: modelFile,
      threshold: 0.5,
      minSpeechDuration: 0.1,
      minSilenceDuration: 0.3,
      windowSize: 512,
      maxSpeechDuration: 60,
    },
    sampleRate: sileroRateHz,
    numThreads: 1,
  };
}

/** Finds speech with the model Silero VAD, which is loaded at the first request. */
export function createSileroVoiceActivity(program: SherpaProgram, modelFile: string): VoiceActivity {
  const model = modelProcess(program, { config: sileroConfig(modelFile), timeout_sec: 20 });
  const toMs = (sample: number): number => Math.round((sample * 1_000) / sileroRateHz);
  return {
    async speechIn({ pcm, sampleRateHz, session, signal }) {
      const heard = resample(pcm, sampleRateHz, sileroRateHz);
      const job = { kind: "detect" as const, pcm: heard, sampleRateHz: sileroRateHz };
      const outcome = await model.run(job, { session, signal });
      if (outcome.kind !== "detected")
        throw new Error(
          outcome.kind === "failed" ? outcome.detail : "The model gave an answer of another kind.",
        );
      return outcome.spans.map(([start, end]) => ({ startMs: toMs(start), endMs: toMs(end) }));
    },
    close: () => model.close(),
  };
}
