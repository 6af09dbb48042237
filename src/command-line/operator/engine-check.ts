import type { LlmType, SttType, TtsType } from "../../protocol/catalogue.ts";
import { Fault } from "../../service/fault.ts";
import { chatSettingsSchema, providerAddresses } from "../../service/language/chat-settings.ts";
import {
  engineApiKey,
  speechEngineSchemas,
  type SpeechEngineSettings,
} from "../../service/speech/engine-settings.ts";
import { findEspeak } from "../../service/speech/espeak-synthesizer.ts";
import { hasProgram } from "../../service/speech/find-program.ts";
import { findSherpa } from "../../service/speech/find-sherpa.ts";
import { fliteVoices } from "../../service/speech/flite-program.ts";
import { missingFiles } from "../../service/speech/model-files.ts";
import type { EngineSettings } from "../../service/store/store.ts";
import type { CheckPlace, EngineMachine } from "./check-place.ts";
import { checkNoSettings, settingsBy } from "./private-settings.ts";

function noAddress(service: string): Fault {
  const detail = `This field is required: the service ${service} has no address that is known. Set the server's, up to and including the version.`;
  return Fault.invalid("required", detail, "engine.base_url");
}

/** What the server's environment still needs for a key that the settings name. */
function keyNotes(
  variable: string | undefined,
  key: string | undefined,
  { environment }: EngineMachine,
): string[] {
  if (variable === undefined || key !== undefined || environment[variable]) return [];
  return [
    `${variable} is not set here; the entry is not available until the server's environment has the key.`,
  ];
}

/** Checks the private settings of a language model; answers with what it still needs. Throws a Fault. */
export function checkChatEngine(
  { service }: LlmType,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  if (service === "visavis") return checkNoSettings(engine, "The service visavis");
  const settings = settingsBy(chatSettingsSchema.strict(), engine);
  if (settings.base_url === undefined && providerAddresses[service] === undefined) throw noAddress(service);
  const { api_key, api_key_env, headers } = settings;
  if (settings.base_url === undefined && !api_key && !api_key_env && Object.keys(headers).length === 0)
    return [`It has no key, which ${service} will ask for; set engine.api_key_env or engine.api_key.`];
  return keyNotes(api_key_env, api_key, machine);
}

function checkCommand([program = "", ...rest]: readonly string[], machine: EngineMachine): void {
  if (!hasProgram(program, machine.environment)) {
    const detail = `There is no program "${program}" on this machine; install it, or set its whole path.`;
    throw Fault.invalid("invalid", detail, "engine.command.0");
  }
  if (!rest.some((part) => part.includes("{wav}")))
    throw Fault.invalid("invalid", "One part must hold {wav}, the path of the audio.", "engine.command");
}

function checkModelFiles(config: Readonly<Record<string, unknown>>): void {
  const missing = missingFiles(config);
  if (missing.length === 0) return;
  throw Fault.validation(
    missing.map(({ field, path }) => ({
      code: "invalid",
      detail: `There is no file or folder ${path} on this machine; set absolute paths of the model's own.`,
      attr: `engine.config.${field}`,
    })),
  );
}

type EngineType = keyof typeof speechEngineSchemas;

/** The settings of an engine for audio, which must be of one of the types. */
function audioSettings(engine: EngineSettings | null, types: readonly EngineType[]): SpeechEngineSettings {
  const given = engine?.["type"] ?? "openai";
  const type = types.find((known) => known === given);
  if (type === undefined)
    throw Fault.invalid("invalid_choice", `Allowed here: ${types.join(", ")}.`, "engine.type");
  return settingsBy<SpeechEngineSettings>(speechEngineSchemas[type].strict(), engine);
}

/** Checks what an engine for audio needs of its machine; answers with what it still needs. */
function checkAudioEngine(
  service: string,
  engine: EngineSettings | null,
  types: readonly EngineType[],
  machine: EngineMachine,
): string[] {
  const settings = audioSettings(engine, types);
  if (settings.type === "command") {
    checkCommand(settings.command, machine);
    return [];
  }
  if (settings.type === "sherpa-onnx") {
    checkModelFiles(settings.config);
    if (findSherpa(machine.sherpaFolder) !== null) return [];
    return ["sherpa-onnx-node is not installed here; the entry is not available where the server has none."];
  }
  if (engine?.["base_url"] === undefined && service !== "openai") throw noAddress(service);
  const variable = settings.api_key_env ?? (service === "openai" ? "OPENAI_API_KEY" : undefined);
  return keyNotes(variable, engineApiKey(settings, machine.environment), machine);
}

function checkFliteVoice(voice: string | null): void {
  if (voice !== null && !fliteVoices.some((known) => known === voice))
    throw Fault.invalid("invalid_choice", `Flite has the voices ${fliteVoices.join(", ")}.`, "voice");
}

/** Checks the engine of a voice; answers with what it still needs. Throws a Fault. */
export function checkVoiceEngine(
  { service, model, voice }: TtsType,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  if (service === "visavis" && model === "flite") {
    checkFliteVoice(voice);
    return checkNoSettings(engine, "Flite");
  }
  if (service === "visavis" && model === "espeak-ng") {
    checkNoSettings(engine, "eSpeak NG");
    if (findEspeak(machine.espeakFolder) !== null) return [];
    return ["eSpeak NG is not installed here; the entry is not available where the server has none."];
  }
  if (service === "visavis" && engine === null)
    throw Fault.invalid("invalid_choice", "The service visavis has the models flite and espeak-ng.", "model");
  return checkAudioEngine(service, engine, ["openai", "sherpa-onnx"], machine);
}

/** Checks the engine of a recogniser; answers with what it still needs. Throws a Fault. */
export function checkRecognitionEngine(
  { service }: SttType,
  engine: EngineSettings | null,
  { machine }: CheckPlace,
): string[] {
  return checkAudioEngine(service, engine, ["openai", "command", "sherpa-onnx"], machine);
}
