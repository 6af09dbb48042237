import { withoutLastSlashes } from "../../../../protocol/last-slashes.ts";
import * as z from "zod";
import { attachmentKinds } from "../../../../protocol/answers/attachment.ts";
import { engineAddressSchema, isAzureAddress, keyVariableSchema } from "../../../engines/engine-address.ts";
import { headerNameSchema, headerValueSchema } from "../../../header-value.ts";
import type { EngineMachine } from "../../../engines/engine.ts";
import { engineKey } from "../../../engines/engine-key.ts";
import { defaultEngineLimits, type EngineLimits } from "../../streaming/engine-stream.ts";

/** Base URLs of providers that offer the protocol themselves; others need a `base_url`. */
const providerAddresses: Readonly<Record<string, string>> = {
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta/openai",
  anthropic: "https://api.anthropic.com/v1",
};

/** The base URL of a provider; undefined if it is not known. */
export function providerAddress(service: string): string | undefined {
  return Object.hasOwn(providerAddresses, service) ? providerAddresses[service] : undefined;
}

/** Whether the model of a service takes tools; undefined if it is not known. */
export function takesTools(
  service: string,
  { tools, base_url }: Pick<ChatEngineSettings, "tools" | "base_url">,
): boolean | undefined {
  const isProviders =
    service === "azure" || (base_url === undefined && providerAddress(service) !== undefined);
  return tools ?? (isProviders ? true : undefined);
}

const seconds = z.number().positive().max(600);

/** The settings of an LLM type whose server offers the chat completions protocol. */
export const chatEngineSettingsSchema = z.object({
  type: z.literal("chat-completions").optional(),
  base_url: engineAddressSchema.optional(),
  model: z.string().min(1),
  api_key: headerValueSchema.optional(),
  /** Name of the environment variable that holds the key. */
  api_key_env: keyVariableSchema.optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Whether the model takes tools. Default: known for the providers' own servers, unknown for others. */
  tools: z.boolean().optional(),
  /** The kinds of files that the model takes with a question. Default: none. */
  attachments: z.array(z.enum(attachmentKinds)).max(attachmentKinds.length).optional(),
  headers: z.record(headerNameSchema, headerValueSchema).default({}),
  /** Additional fields of every request, such as `max_completion_tokens`. */
  extra_body: z.record(z.string(), z.unknown()).default({}),
  /** What a million tokens cost, for the owner's budget. Default: tokens are counted, and not their cost. */
  price: z
    .object({
      input: z.number().min(0),
      output: z.number().min(0),
      /** ISO 4217. */
      currency: z.string().regex(/^[A-Z]{3}$/),
    })
    .optional(),
  first_byte_sec: seconds.optional(),
  idle_sec: seconds.optional(),
});

/** The server settings of an LLM type. */
export type ChatEngineSettings = z.infer<typeof chatEngineSettingsSchema>;

/** How to call a chat model. */
export interface ChatSettings {
  url: string;
  model: string;
  headers: Record<string, string>;
  temperature: number | undefined;
  extraBody: Record<string, unknown>;
  limits: EngineLimits;
}

/** `/chat/completions` below a base URL. Its query (an API version) is kept. */
function completionsAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${withoutLastSlashes(url.pathname)}/chat/completions`;
  return url.href;
}

function keyHeaders(service: string, address: string, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return service === "azure" || isAzureAddress(address)
    ? { "api-key": key }
    : { Authorization: `Bearer ${key}` };
}

function limitsOf(firstByteSec: number | undefined, idleSec: number | undefined): EngineLimits {
  return {
    ...defaultEngineLimits,
    ...(firstByteSec !== undefined && { firstByteMs: firstByteSec * 1000 }),
    ...(idleSec !== undefined && { idleMs: idleSec * 1000 }),
  };
}

/**
 * How to call the server of an LLM type (docs/language-models.md); null when its address or its key is missing. `api_key_env` is
 * looked up in `environment`.
 */
export function chatSettingsOf(
  service: string,
  settings: ChatEngineSettings,
  environment: EngineMachine["environment"],
): ChatSettings | null {
  const baseUrl = settings.base_url ?? providerAddress(service);
  const key = engineKey(settings, environment);
  if (baseUrl === undefined || (settings.api_key_env !== undefined && !key)) return null;
  return {
    url: completionsAddress(baseUrl),
    model: settings.model,
    headers: { ...keyHeaders(service, baseUrl, key || undefined), ...settings.headers },
    temperature: settings.temperature,
    extraBody: settings.extra_body,
    limits: limitsOf(settings.first_byte_sec, settings.idle_sec),
  };
}
