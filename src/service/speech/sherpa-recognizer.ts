import type { SherpaSettings } from "./engine-settings.ts";
import { modelProcess, type SherpaProgram } from "./sherpa-program.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";

/** Writes down speech with a model of sherpa-onnx, which is loaded with the first request. */
export function createSherpaRecognizer(program: SherpaProgram, settings: SherpaSettings): SpeechRecognizer {
  const model = modelProcess(program, settings);
  return {
    async recognize({ pcm, sampleRateHz, session, signal }) {
      const outcome = await model.run({ kind: "recognize", pcm, sampleRateHz }, { session, signal });
      if (outcome.kind !== "recognized")
        throw new Error(outcome.kind === "failed" ? outcome.detail : "The model answered something else.");
      const { text, language } = outcome;
      const heardIn = language.replace(/[^A-Za-z-]/g, "");
      return { text: text.trim(), locale: settings.locale ?? (heardIn === "" ? null : heardIn) };
    },
    close: () => model.close(),
  };
}
