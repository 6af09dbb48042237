import type { AudioProcessor } from "../../audio/audio-processor.ts";
import {
  findSherpa,
  missingFiles,
  modelProcess,
  type SherpaProgram,
  type SherpaSettings,
  sherpaSettingsSchema,
} from "./sherpa-program.ts";
import { sentenceSynthesizer } from "../../synthesis/sentence-synthesizer.ts";
import { mannerOf, repitched } from "../../synthesis/speech-samples.ts";
import { SpeechError } from "../../speech-error.ts";
import type { SpeechSynthesizer } from "../../speech-synthesizer.ts";
import { Fault } from "../../../faults/fault.ts";
import type { RecognizerContext, SpeechEngine } from "../../speech-engine.ts";
import { createSherpaRecognizer } from "./sherpa-recognizer.ts";

/** Speaks with a model of sherpa-onnx, which is loaded at the first request. Timings are estimated from the text. */
function createSherpaSynthesizer(
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

function installedSherpa(environment: RecognizerContext["environment"]): string | null {
  return findSherpa(environment["VISAVIS_SHERPA_PATH"] || undefined);
}

/** Null when sherpa-onnx or one of the model's files is missing. */
function programFor(
  { config }: SherpaSettings,
  { environment, scriptUrl }: RecognizerContext,
): SherpaProgram | null {
  const modulePath = installedSherpa(environment);
  if (modulePath === null || missingFiles(config).length > 0) return null;
  return { processUrl: scriptUrl("sherpa-process"), modulePath };
}

/** Models of sherpa-onnx, for speech synthesis and recognition. Installed separately. */
export const sherpaEngine: SpeechEngine<SherpaSettings> = {
  kind: "sherpa-onnx",
  settingsSchema: sherpaSettingsSchema,
  check({ settings }, { environment }) {
    const missing = missingFiles(settings.config);
    if (missing.length > 0)
      throw Fault.validation(
        missing.map(({ field, path }) => ({
          code: "invalid",
          detail: `There is no file or folder ${path} on this machine; set absolute paths of the model's files.`,
          attr: `engine.config.${field}`,
        })),
      );
    if (installedSherpa(environment) !== null) return [];
    return ["sherpa-onnx-node is not installed here; the entry is not available where the server has none."];
  },
  createSynthesizer({ settings }, context) {
    const program = programFor(settings, context);
    return program && createSherpaSynthesizer(program, settings, context.audio);
  },
  createRecognizer({ settings }, context) {
    const program = programFor(settings, context);
    return program && createSherpaRecognizer(program, settings);
  },
};
