import { speechTextMaxLength } from "../../protocol/speech.ts";
import type { AudioDesk } from "./audio-desk.ts";
import type { SherpaSettings } from "./engine-settings.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";
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
  return {
    voices: [],
    async synthesize({ text, signal }) {
      signal?.throwIfAborted();
      if (text.length > speechTextMaxLength) throw SpeechError.tooLong(text.length, speechTextMaxLength);
      const outcome = await model
        .run({ kind: "speak", text, speaker, speed }, signal)
        .catch((error: unknown) => {
          signal?.throwIfAborted();
          throw SpeechError.engineFailed("The speech engine stopped working on this text.", error);
        });
      if (outcome.kind !== "spoken")
        throw SpeechError.engineFailed(
          "The speech engine could not be used.",
          outcome.kind === "failed" ? outcome.detail : undefined,
        );
      if (outcome.audio.pcm.length === 0)
        throw SpeechError.unspeakable("The voice has no sounds for this text.");
      return { ...outcome.audio, ...(await audio.align({ ...outcome.audio, text }, signal)) };
    },
    close: () => model.close(),
  };
}
