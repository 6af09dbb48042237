import type { InteractiveAgentConfig, LlmType, SttType, TtsType } from "../../protocol/catalogue.ts";
import { UnknownEngineError, type EngineDefinition } from "../engine.ts";
import { Fault } from "../fault.ts";
import { agentEngine, languageEngine } from "../language/language-engines.ts";
import { recognitionEngine, synthesisEngine } from "../speech/speech-engines.ts";
import type { EngineSettings } from "../store/store.ts";
import type { CheckPlace } from "./check-place.ts";
import { checkNoSettings, settingsBy } from "./private-settings.ts";

/** The engine that an entry names. Throws a Fault that lists the engines. */
function named<Engine>(find: () => Engine): Engine {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof UnknownEngineError)) throw error;
    const { choice, known } = error;
    const detail =
      choice.field === "model"
        ? `The service visavis has the models ${known.join(" and ")}.`
        : `Allowed here: ${known.join(", ")}.`;
    throw Fault.invalid("invalid_choice", detail, choice.field);
  }
}

/** Checks an entry with its engine. `owner` names the entry in the error about settings of a built-in engine. */
function checkWith<Body>(
  engine: EngineDefinition<Body, unknown>,
  body: Body,
  given: EngineSettings | null,
  { machine }: CheckPlace,
  owner: string,
): string[] {
  if (engine.isBuiltIn) checkNoSettings(given, owner);
  return engine.check({ body, settings: settingsBy(engine.settingsSchema.strict(), given) }, machine);
}

/** Checks the engine of a language model. Returns notes on what is still missing. Throws a Fault. */
export function checkChatEngine(body: LlmType, given: EngineSettings | null, place: CheckPlace): string[] {
  const engine = named(() => languageEngine(body, given));
  return checkWith(engine, body, given, place, `The service ${body.service}`);
}

/** Checks the engine of a voice. Returns notes on what is still missing. Throws a Fault. */
export function checkVoiceEngine(body: TtsType, given: EngineSettings | null, place: CheckPlace): string[] {
  const engine = named(() => synthesisEngine(body, given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}

/** Checks the engine of a recognizer. Returns notes on what is still missing. Throws a Fault. */
export function checkRecognitionEngine(
  body: SttType,
  given: EngineSettings | null,
  place: CheckPlace,
): string[] {
  const engine = named(() => recognitionEngine(body, given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}

/** Checks how an interactive agent is called. Throws a Fault. */
export function checkInteractiveAgent(
  body: InteractiveAgentConfig,
  given: EngineSettings | null,
  place: CheckPlace,
): string[] {
  const engine = named(() => agentEngine(given));
  return checkWith(engine, body, given, place, `The engine ${engine.kind}`);
}
