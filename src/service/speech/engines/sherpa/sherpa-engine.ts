import { Fault } from "../../../fault.ts";
import type { RecognizerContext, SpeechEngine } from "../../speech-engine.ts";
import { findSherpa } from "./find-sherpa.ts";
import { missingFiles } from "./model-files.ts";
import type { SherpaProgram } from "./sherpa-program.ts";
import { createSherpaRecognizer } from "./sherpa-recognizer.ts";
import { sherpaSettingsSchema, type SherpaSettings } from "./sherpa-settings.ts";
import { createSherpaSynthesizer } from "./sherpa-synthesizer.ts";

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
