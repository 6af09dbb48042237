import type { AudioDesk } from "./audio-desk.ts";
import type { SherpaSettings } from "./engine-settings.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";
import { sentenceSynthesizer } from "./sentence-synthesizer.ts";
import { SpeechError } from "./speech-error.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";

/** Speaks with a model of sherpa-onnx, which is loaded with the first request. Timings are found by the text. */
export function createSherpaSynthesizer(
  program: SherpaProgram,
  settings: SherpaSettings,
  audio: AudioDesk,
): SpeechSynthesizer {
  const { speaker, speed } = settings;
  const model = modelProcess(program, settings);
  return sentenceSynthesizer({
    voices: [],
    async synthesize({ text, session, signal }) {
      signal?.throwIfAborted();
      const outcome = await model
        .run({ kind: "speak", text, speaker, speed }, { session, signal, cost: text.length })
        .catch((error: unknown) => {
          signal?.throwIfAborted();
          throw SpeechError.ofWorker(error);
        });
      if (outcome.kind !== "spoken")
        throw SpeechError.engineFailed(
          "The speech engine could not be used.",
          outcome.kind === "failed" ? outcome.detail : undefined,
        );
      if (outcome.audio.pcm.length === 0)
        throw SpeechError.unspeakable("The voice has no sounds for this text.");
      return { ...outcome.audio, ...(await audio.align({ ...outcome.audio, text }, { session, signal })) };
    },
    close: () => model.close(),
  });
}
