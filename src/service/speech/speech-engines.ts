import { choiceOfSettings, engineOfKind, type EngineChoice } from "../engines/engine.ts";
import type { EngineSettings } from "../store/store.ts";
import { commandEngine } from "./engines/command/command-engine.ts";
import { espeakEngine } from "./engines/espeak/espeak-engine.ts";
import { fliteEngine } from "./engines/flite/flite-engine.ts";
import { openAiEngine } from "./engines/openai/openai-engine.ts";
import { sherpaEngine } from "./engines/sherpa/sherpa-engine.ts";
import type { SpeechBody, SpeechEngine } from "./speech-engine.ts";

/** All speech engines. To add one, create its folder and add a line here. */
const speechEngines: readonly SpeechEngine[] = [
  fliteEngine,
  espeakEngine,
  openAiEngine,
  sherpaEngine,
  commandEngine,
];

const builtInKinds = new Set(speechEngines.filter(({ isBuiltIn }) => isBuiltIn).map(({ kind }) => kind));

type Synthesis = SpeechEngine & Required<Pick<SpeechEngine, "createSynthesizer">>;
type Recognition = SpeechEngine & Required<Pick<SpeechEngine, "createRecognizer">>;

const synthesisEngines = speechEngines.filter((engine): engine is Synthesis => "createSynthesizer" in engine);
const recognitionEngines = speechEngines.filter(
  (engine): engine is Recognition => "createRecognizer" in engine,
);

function choiceOf({ service, model }: SpeechBody, settings: EngineSettings | null): EngineChoice {
  if (service === "visavis" && (settings === null || builtInKinds.has(model ?? "")))
    return { kind: model ?? "", field: "model" };
  return choiceOfSettings(settings, openAiEngine.kind);
}

/** The engine of a TTS type. Throws UnknownEngineError. */
export function synthesisEngine(body: SpeechBody, settings: EngineSettings | null): Synthesis {
  return engineOfKind(synthesisEngines, choiceOf(body, settings));
}

/** The engine of an STT type. Throws UnknownEngineError. */
export function recognitionEngine(body: SpeechBody, settings: EngineSettings | null): Recognition {
  return engineOfKind(recognitionEngines, choiceOf(body, settings));
}
