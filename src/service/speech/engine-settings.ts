import * as z from "zod";
import { engineAddressSchema, keyVariableSchema } from "../engine-address.ts";
import { headerValueSchema } from "../header-value.ts";
import type { EngineSettings } from "../store/store.ts";

const timeoutSec = z.number().positive().max(600);

/** A server that speaks the OpenAI protocol for audio. */
const openAiSchema = z.object({
  type: z.literal("openai").default("openai"),
  /** Up to and including `/v1`. */
  base_url: engineAddressSchema.default("https://api.openai.com/v1"),
  api_key: headerValueSchema.optional(),
  /** The environment variable that holds the key. */
  api_key_env: keyVariableSchema.optional(),
  model: z.string().min(1).optional(),
  voice: z.string().min(1).optional(),
  response_format: z.enum(["wav", "mp3", "pcm"]).default("wav"),
  timeout_sec: timeoutSec.default(60),
});
export type OpenAiSettings = z.infer<typeof openAiSchema>;

/** A program that writes down a WAV file. `{wav}` and `{language}` in its arguments are filled in. */
const commandSchema = z.object({
  type: z.literal("command"),
  command: z.array(z.string().min(1)).min(1).max(100),
  /** The rate of the WAV file it is given. */
  sample_rate_hz: z.int().min(8_000).max(48_000).default(16_000),
  timeout_sec: timeoutSec.default(60),
  /** The language that its model knows, as it is answered. */
  locale: z.string().max(35).nullable().default(null),
});
export type CommandSettings = z.infer<typeof commandSchema>;

/** sherpa-onnx with its own configuration, passed on as it is (paths of the model's files among it). */
const sherpaSchema = z.object({
  type: z.literal("sherpa-onnx"),
  config: z.record(z.string(), z.unknown()),
  speaker: z.int().min(0).default(0),
  speed: z.number().positive().max(4).default(1),
  /** Also for the first request, with which the model is loaded. */
  timeout_sec: timeoutSec.default(60),
  locale: z.string().max(35).nullable().default(null),
});

export type SherpaSettings = z.infer<typeof sherpaSchema>;

/** What settings may hold, by their `type`. */
export const speechEngineSchemas = {
  openai: openAiSchema,
  command: commandSchema,
  "sherpa-onnx": sherpaSchema,
} as const;

const engineSchema = z.union(Object.values(speechEngineSchemas));
export type SpeechEngineSettings = OpenAiSettings | CommandSettings | SherpaSettings;

/** What a row says of its engine; null where that cannot be understood, so that the row is not available. */
export function engineSettings(engine: EngineSettings | null): SpeechEngineSettings | null {
  return engineSchema.safeParse(engine ?? {}).data ?? null;
}

/** The key of an engine: from its row, or from the environment variable that it names. */
export function engineApiKey(
  { api_key, api_key_env }: OpenAiSettings,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return api_key ?? (api_key_env === undefined ? undefined : env[api_key_env] || undefined);
}
