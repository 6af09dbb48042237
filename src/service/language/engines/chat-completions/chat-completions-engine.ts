import { missingAddress } from "../../../engines/engine-address.ts";
import { missingKeyNotes } from "../../../engines/engine-key.ts";
import type { LanguageEngine } from "../../language-engine.ts";
import { createChatModel } from "./chat-model.ts";
import {
  chatEngineSettingsSchema,
  chatSettingsOf,
  takesTools,
  providerAddress,
  type ChatEngineSettings,
} from "./chat-settings.ts";

/** Any server with the chat completions protocol. */
export const chatCompletionsEngine: LanguageEngine<ChatEngineSettings> = {
  kind: "chat-completions",
  settingsSchema: chatEngineSettingsSchema,
  check({ body: { service = "" }, settings }, machine) {
    const { base_url, api_key, api_key_env, headers } = settings;
    if (base_url === undefined && providerAddress(service) === undefined) throw missingAddress(service);
    if (base_url === undefined && !api_key && !api_key_env && Object.keys(headers).length === 0)
      return [`It has no key, which ${service} will ask for; set engine.api_key_env or engine.api_key.`];
    return missingKeyNotes(api_key_env, api_key, machine);
  },
  create({ body: { service = "" }, settings }, { fetch, log, environment }) {
    const chatSettings = chatSettingsOf(service, settings, environment);
    return (
      chatSettings && {
        ...createChatModel(chatSettings, { fetch, log }),
        takesTools: takesTools(service, settings),
        takesAttachments: settings.attachments,
      }
    );
  },
};
