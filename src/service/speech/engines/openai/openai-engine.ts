import { missingAddress } from "../../../engine-address.ts";
import { engineKey, missingKeyNotes } from "../../../engine-key.ts";
import type { RecognizerContext, SpeechEngine, SpeechEntry } from "../../speech-engine.ts";
import type { OpenAiAccess } from "./openai-audio.ts";
import { createOpenAiRecognizer } from "./openai-recognizer.ts";
import { openAiSettingsSchema, type OpenAiSettings } from "./openai-settings.ts";
import { createOpenAiSynthesizer } from "./openai-synthesizer.ts";

const openAiAddress = "https://api.openai.com/v1";
const openAiKeyVariable = "OPENAI_API_KEY";

/** Null when the server's address is unknown, or when OpenAI's own key is missing. */
function accessOf(
  { body: { service }, settings }: SpeechEntry<OpenAiSettings>,
  { fetch, environment }: RecognizerContext,
): OpenAiAccess | null {
  const isOpenAi = service === "openai";
  const baseUrl = settings.base_url ?? (isOpenAi ? openAiAddress : undefined);
  const apiKey = engineKey(settings, environment) ?? (isOpenAi ? environment[openAiKeyVariable] : undefined);
  if (baseUrl === undefined || (isOpenAi && !apiKey)) return null;
  return { fetch, baseUrl, settings, apiKey };
}

/** OpenAI, or another server with its audio protocol. */
export const openAiEngine: SpeechEngine<OpenAiSettings> = {
  kind: "openai",
  settingsSchema: openAiSettingsSchema,
  check({ body: { service }, settings }, machine) {
    if (settings.base_url === undefined && service !== "openai") throw missingAddress(service);
    const variable = settings.api_key_env ?? (service === "openai" ? openAiKeyVariable : undefined);
    return missingKeyNotes(variable, engineKey(settings, machine.environment), machine);
  },
  createSynthesizer(entry, context) {
    const access = accessOf(entry, context);
    const { model = null, voice_settings: voiceSettings } = entry.body;
    return access && createOpenAiSynthesizer({ ...access, audio: context.audio, model, voiceSettings });
  },
  createRecognizer(entry, context) {
    const access = accessOf(entry, context);
    return access && createOpenAiRecognizer(access);
  },
};
