import * as z from "zod";
import type { EngineMachine } from "../../../engine.ts";
import type { SpeechEngine } from "../../speech-engine.ts";
import { createEspeakSynthesizer, findEspeak } from "./espeak-synthesizer.ts";

function installedEspeak(environment: EngineMachine["environment"]): string | null {
  return findEspeak(environment["VISAVIS_ESPEAK_PATH"] || undefined);
}

/** eSpeak NG: over a hundred languages, offline, installed separately because of its licence (GPL). */
export const espeakEngine: SpeechEngine<object> = {
  kind: "espeak-ng",
  isBuiltIn: true,
  settingsSchema: z.object({}),
  check(_entry, { environment }) {
    if (installedEspeak(environment) !== null) return [];
    return ["eSpeak NG is not installed here; the entry is not available where the server has none."];
  },
  createSynthesizer(_entry, { environment, scriptUrl }) {
    const modulePath = installedEspeak(environment);
    if (modulePath === null) return null;
    return createEspeakSynthesizer({ workerUrl: scriptUrl("espeak-worker"), modulePath });
  },
};
