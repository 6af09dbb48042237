import * as z from "zod";
import type { LlmType } from "../../protocol/catalogue.ts";
import { engineAddressSchema, keyVariableSchema } from "../engine-address.ts";
import { headerNameSchema, headerValueSchema } from "../header-value.ts";
import type { EngineSettings } from "../store/store.ts";
import { defaultEngineLimits } from "./engine-stream.ts";
import type { EngineLimits } from "./engine-stream.ts";

/** Where providers speak the protocol themselves; others need a `base_url`. */
export const providerAddresses: Partial<Record<LlmType["service"], string>> = {
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta/openai",
  anthropic: "https://api.anthropic.com/v1",
};

const seconds = z.number().positive().max(600);

/** A catalogue row's engine settings for a server that speaks the chat completions protocol. */
export const chatSettingsSchema = z.object({
  base_url: engineAddressSchema.optional(),
  model: z.string().min(1),
  api_key: headerValueSchema.optional(),
  /** Name of the environment variable that holds the key. */
  api_key_env: keyVariableSchema.optional(),
  temperature: z.number().min(0).max(2).optional(),
  headers: z.record(headerNameSchema, headerValueSchema).default({}),
  /** Further fields of every request, such as `max_completion_tokens`. */
  extra_body: z.record(z.string(), z.unknown()).default({}),
  first_byte_sec: seconds.optional(),
  idle_sec: seconds.optional(),
});

/** How a chat model is reached. */
export interface ChatSettings {
  url: string;
  model: string;
  headers: Record<string, string>;
  temperature: number | undefined;
  extraBody: Record<string, unknown>;
  limits: EngineLimits;
}

/** `/chat/completions` under an address, whose query (an API version) stays. */
function completionsAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url.href;
}

function keyHeaders(service: LlmType["service"], key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return service === "azure" ? { "api-key": key } : { Authorization: `Bearer ${key}` };
}

function limitsOf(firstByteSec: number | undefined, idleSec: number | undefined): EngineLimits {
  return {
    ...defaultEngineLimits,
    ...(firstByteSec !== undefined && { firstByteMs: firstByteSec * 1000 }),
    ...(idleSec !== undefined && { idleMs: idleSec * 1000 }),
  };
}

/**
 * Reads a row's engine settings; null when they do not make a usable engine (docs/language-models.md).
 * `environment` is where `api_key_env` is looked up.
 */
export function readChatSettings(
  service: LlmType["service"],
  engine: EngineSettings | null,
  environment: Readonly<Record<string, string | undefined>>,
): ChatSettings | null {
  const parsed = chatSettingsSchema.safeParse(engine);
  if (!parsed.success) return null;
  const settings = parsed.data;
  const baseUrl = settings.base_url ?? providerAddresses[service];
  const key = settings.api_key ?? (settings.api_key_env && environment[settings.api_key_env]);
  if (baseUrl === undefined || (settings.api_key_env !== undefined && !key)) return null;
  return {
    url: completionsAddress(baseUrl),
    model: settings.model,
    headers: { ...keyHeaders(service, key || undefined), ...settings.headers },
    temperature: settings.temperature,
    extraBody: settings.extra_body,
    limits: limitsOf(settings.first_byte_sec, settings.idle_sec),
  };
}
