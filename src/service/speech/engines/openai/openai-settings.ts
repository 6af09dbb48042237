import * as z from "zod";
import { engineAddressSchema, keyVariableSchema } from "../../../engine-address.ts";
import { headerValueSchema } from "../../../header-value.ts";
import { timeoutSecSchema } from "../../speech-engine.ts";

/** The settings of a server with the OpenAI audio protocol. */
export const openAiSettingsSchema = z.object({
  type: z.literal("openai").default("openai"),
  /** Up to and including `/v1`; required for all servers except OpenAI itself. */
  base_url: engineAddressSchema.optional(),
  api_key: headerValueSchema.optional(),
  /** The environment variable that holds the key. */
  api_key_env: keyVariableSchema.optional(),
  model: z.string().min(1).optional(),
  voice: z.string().min(1).optional(),
  response_format: z.enum(["wav", "mp3", "pcm"]).default("wav"),
  timeout_sec: timeoutSecSchema,
});

/** How to use a server of the OpenAI protocol. */
export type OpenAiSettings = z.infer<typeof openAiSettingsSchema>;
