import type { Logger } from "../logging/logger.ts";
import { faultLog, type TrialEngines } from "../service/administration/trials/entry-trial.ts";
import { createOutboundCalls } from "../service/outbound/outbound-calls.ts";
import { createLanguageModels, type LanguageModels } from "../service/language/create-language-models.ts";
import { createEncoderThread } from "../service/knowledge/meaning/encoder-thread.ts";
import { keepUnitIndexes } from "../service/knowledge/matching/unit-index.ts";
import type { ServiceDependencies } from "../service/service.ts";
import { createAudioProcessor } from "../service/speech/audio/create-audio-processor.ts";
import {
  createRecognizers,
  createSynthesizers,
  createVoiceActivity,
} from "../service/speech/create-speech-engines.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../service/speech/engines/flite/flite-synthesizer.ts";
import type { Settings } from "./settings/settings.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installedVoiceActivity, sherpaFolder } from "../service/administration/models/model-record.ts";
import { findSherpa } from "../service/speech/engines/sherpa/sherpa-program.ts";

type ServiceEngines = Pick<ServiceDependencies, "audio" | "outbound" | "indexOf"> &
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
interface EngineParts {
  log: Logger;
  environment: Readonly<Record<string, string | undefined>>;
  /** The URL of a built worker or child process script, by its name without extension. */
  scriptUrl(name: string): URL;
}

/** A question waits so long for what the encoder makes of new documents: after the start of a busy machine that may take a minute. */
const encoderPatienceMs = 2_000;

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
  const outbound = createOutboundCalls({ allowPrivate: allowPrivateAddresses });
  const parts = { outbound, environment, scriptUrl };
  const synthesizers = createSynthesizers({ ...parts, audio, flite });
  const activity = createVoiceActivity(parts);
  const recognizers = createRecognizers(parts, activity ? { activity, log } : undefined);
  const encoder = createEncoderThread(scriptUrl("encoder-worker"), log);
  const indexOf = keepUnitIndexes(encoder.encode, encoderPatienceMs);
  const languageModels = createLanguageModels({ log, outbound, environment, indexOf });
  return {
    engines: {
      audio,
      outbound,
      indexOf,
      synthesizer: (row) => synthesizers.of(row),
      recognizer: (row) => recognizers.of(row),
      languageModel: (row) => languageModels.model(row),
      interactiveAgent: (row) => languageModels.agent(row),
    },
    flite,
    tools: (server) => languageModels.tools(server),
    voiceActivity: activity,
    async close() {
      const all = [synthesizers, recognizers, audio, flite, languageModels, encoder];
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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of the engines: this process's own, and what `visavis model install` put into the data folder, unless the
 * environment names another place. Without sherpa-onnx beside this program, its folder is named even if it is still empty, so
 * that entries work as soon as it is installed.
 */
export function engineEnvironment(environment: Environment, dataFolder: string): Environment {
  const sherpa = environment["VISAVIS_SHERPA_PATH"] || undefined;
  const inData = sherpaFolder(dataFolder);
  const useData = sherpa === undefined && (existsSync(join(inData, "node_modules")) || findSherpa() === null);
  return {
    ...environment,
    VISAVIS_SHERPA_PATH: useData ? inData : sherpa,
    VISAVIS_VAD_MODEL: environment["VISAVIS_VAD_MODEL"] || installedVoiceActivity(dataFolder),
  };
}
