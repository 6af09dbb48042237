import type { Logger } from "../logging/logger.ts";
import { faultLog, type TrialEngines } from "../service/administration/trials/entry-trial.ts";
import { createGuardedFetch, createOperatorFetch } from "../service/guarded-fetch.ts";
import { createLanguageModels, type LanguageModels } from "../service/language/create-language-models.ts";
import type { ServiceDependencies } from "../service/service.ts";
import { createAudioProcessor } from "../service/speech/audio/create-audio-processor.ts";
import { createRecognizers } from "../service/speech/create-recognizers.ts";
import { createVoiceActivity } from "../service/speech/create-voice-activity.ts";
import { createSynthesizers } from "../service/speech/create-synthesizers.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../service/speech/engines/flite/flite-synthesizer.ts";
import type { Settings } from "./settings.ts";

type ServiceEngines = Pick<ServiceDependencies, "audio" | "guardedFetch"> &
  Required<Pick<TrialEngines, "synthesizer" | "recognizer" | "languageModel" | "interactiveAgent">>;

/** The engines for speech and language. */
export interface OpenEngines {
  engines: ServiceEngines;
  flite: FliteSynthesizer;
  tools: LanguageModels["tools"];
  voiceActivity: TrialEngines["voiceActivity"];
  close(): Promise<void>;
}

/** What the engines use of this process. */
export interface EngineParts {
  log: Logger;
  environment: Readonly<Record<string, string | undefined>>;
  /** The URL of a built worker or child process script, by its name without extension. */
  scriptUrl(name: string): URL;
}

/** Creates the engines. Each starts when it is first used. */
export function openEngines(
  { allowPrivateAddresses }: Pick<Settings, "allowPrivateAddresses">,
  { log, environment, scriptUrl }: EngineParts,
): OpenEngines {
  const flite = createFliteSynthesizer({ workerUrl: scriptUrl("flite-worker") });
  const audio = createAudioProcessor({
    workerUrl: scriptUrl("audio-worker"),
    reference: flite,
    referenceVoice: "slt",
  });
  const guardedFetch = createGuardedFetch({ allowPrivate: allowPrivateAddresses });
  const parts = { fetch: createOperatorFetch(), environment, scriptUrl };
  const synthesizers = createSynthesizers({ ...parts, audio, flite });
  const activity = createVoiceActivity(parts);
  const recognizers = createRecognizers(parts, activity ? { activity, log } : undefined);
  const languageModels = createLanguageModels({ log, guardedFetch, environment });
  return {
    engines: {
      audio,
      guardedFetch,
      synthesizer: (row) => synthesizers.of(row),
      recognizer: (row) => recognizers.of(row),
      languageModel: (row) => languageModels.model(row),
      interactiveAgent: (row) => languageModels.agent(row),
    },
    flite,
    tools: (server) => languageModels.tools(server),
    voiceActivity: activity,
    async close() {
      const all = [synthesizers, recognizers, audio, flite, languageModels];
      await Promise.all(all.map((engine) => engine.close()));
    },
  };
}

/** Runs work with engines that are closed afterwards, and that say why they failed. */
export async function withTrialEngines<Result>(
  settings: Pick<Settings, "allowPrivateAddresses">,
  parts: Omit<EngineParts, "log">,
  work: (engines: TrialEngines) => Promise<Result>,
): Promise<Result> {
  const { log, lastFault } = faultLog();
  const { engines, flite, tools, voiceActivity, close } = openEngines(settings, { ...parts, log });
  const sample: TrialEngines["sample"] = (signal) =>
    flite.synthesize({ text: "Hello, can you hear me?", voice: "slt", signal });
  try {
    return await work({ ...engines, tools, voiceActivity, sample, lastFault });
  } finally {
    await close();
  }
}
