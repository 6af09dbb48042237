import type { AudioProcessor } from "../../audio/audio-processor.ts";
import type { SherpaSettings } from "./sherpa-settings.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";
import { sentenceSynthesizer } from "../../synthesis/sentence-synthesizer.ts";
import { mannerOf, repitched } from "../../synthesis/speech-manner.ts";
import { SpeechError } from "../../speech-error.ts";
import type { SpeechSynthesizer } from "../../speech-synthesizer.ts";

/** Speaks with a model of sherpa-onnx, which is loaded at the first request. Timings are estimated from the text. */
export function createSherpaSynthesizer(
  program: SherpaProgram,
  settings: SherpaSettings,
  audio: AudioProcessor,
): SpeechSynthesizer {
  const { speaker, speed } = settings;
  const model = modelProcess(program, settings);
  return sentenceSynthesizer({
    voices: [],
    async synthesize({ text, session, signal, ...request }) {
      const { rate, pitch } = mannerOf(request);
      signal?.throwIfAborted();
      const outcome = await model
        .run(
          { kind: "speak", text, speaker, speed: (speed * rate) / pitch },
          { session, signal, cost: text.length },
        )
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
      return repitched(await audio.finish({ ...outcome.audio, text }, { session, signal }), pitch);
    },
    close: () => model.close(),
  });
}
