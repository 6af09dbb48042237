import * as z from "zod";
import { pageQuerySchema } from "./schema/paging.ts";

/** Providers of speech synthesis, by the identifiers of the interface (wire conventions, Names). */
export const ttsServices = [
  "openai",
  "elevenlabs",
  "azure",
  "onpremise",
  "visavis",
  "google",
  "aws",
] as const;
/** Providers of speech recognition. */
export const sttServices = ["whisper", "openai", "azure", "google", "onpremise", "visavis"] as const;
/** Providers of language models. */
export const llmServices = ["openai", "azure", "google", "anthropic", "onpremise", "visavis"] as const;
/** The capabilities that a session can have (interface specification, What the service does). */
export const capabilityNames = ["LLM", "TTS", "STT", "STF_ONPREMISE", "STF_WEBRTC"] as const;
export type CapabilityName = (typeof capabilityNames)[number];

const nullableText = z.string().nullable();

/** Platforms by which a model style list can be filtered: those in the interface's schema and those in its text. */
export const platformTypes = ["android", "ios", "webrtc", "studio", "onpremise"] as const;

export const promptSchema = z.object({
  prompt_id: z.string(),
  name: z.string(),
  system_prompt: z.string(),
  description: z.string(),
  require_document: z.boolean(),
  intro_message: z.string(),
});
export type Prompt = z.infer<typeof promptSchema>;

export const capabilitySchema = z.object({ name: z.enum(capabilityNames), description: z.string() });

export const llmTypeSchema = z.object({ name: z.string(), service: z.enum(llmServices) });
export type LlmType = z.infer<typeof llmTypeSchema>;

export const ttsTypeSchema = z.object({
  name: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9_-]+$/, { error: "A name has Latin letters, digits, hyphens and underscores only." }),
  service: z.enum(ttsServices),
  streamable: z.boolean(),
  model: nullableText,
  voice: nullableText,
  voice_settings: z.unknown(),
  style: nullableText,
  voice_extra_data: z.unknown(),
});
export type TtsType = z.infer<typeof ttsTypeSchema>;

export const sttTypeSchema = z.object({
  name: z.string(),
  service: z.enum(sttServices),
  options: z.unknown(),
});
export type SttType = z.infer<typeof sttTypeSchema>;

const namedFileSchema = z.object({ name: z.string(), file: z.string() });

/**
 * An avatar's look. `files` lists what a renderer on the caller's side needs: `character` (the JSON of the
 * puppet), `poster` and `porthole` (stills). `configs` carries `matte` (product contract, The stage) and `title`.
 */
export const modelStyleSchema = z.object({
  name: z.string().max(100),
  model: z.string(),
  model_files: z.array(namedFileSchema),
  style: nullableText,
  files: z.array(namedFileSchema),
  configs: z.array(z.object({ modelstyleconfig_id: z.string(), key: z.string(), value: z.string() })),
  model_file: nullableText,
  file: nullableText,
  platform_type: z.enum(["android", "ios", "webrtc"]),
});
export type ModelStyle = z.infer<typeof modelStyleSchema>;

export const textNormalizationConfigSchema = z.object({
  textnormalizationconfig_id: z.string(),
  name: z.string(),
  pre_hook_url: nullableText,
  post_hook_url: nullableText,
  created_at: z.string(),
  hook_enabled: z.boolean(),
  pre_hook_args: z.unknown(),
  post_hook_args: z.unknown(),
});
export type TextNormalizationConfig = z.infer<typeof textNormalizationConfigSchema>;

export const agentConfigSchema = z.object({
  agentconfig_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  config: z.unknown(),
});
export type AgentConfig = z.infer<typeof agentConfigSchema>;

export const interactiveAgentConfigSchema = z.object({
  interactiveagentconfig_id: z.string(),
  name: z.string(),
  description: z.string(),
  intro_message: z.string(),
  organization: z.string(),
});
export type InteractiveAgentConfig = z.infer<typeof interactiveAgentConfigSchema>;

/**
 * Body of POST /api/v1/background_image/. The service checks the content of `image`. In a multipart body, `image` may be a
 * file instead.
 */
export const backgroundImageCreateSchema = z.object({
  title: z.string().min(1).max(255),
  image: z.string().min(1).optional(),
});
export type BackgroundImageCreate = z.infer<typeof backgroundImageCreateSchema>;

export const backgroundImageSchema = z.object({
  backgroundimage_id: z.string(),
  title: z.string(),
  image: z.string(),
  created_at: z.string(),
});
export type BackgroundImage = z.infer<typeof backgroundImageSchema>;

export const mcpServerSchema = z.object({
  mcpserver_id: z.string(),
  name: z.string(),
  organization: z.string(),
  url: z.string(),
  description: z.string(),
  auth_header: nullableText,
  transport_protocol: z.enum(["sse", "streamable_http"]),
  server_timeout_sec: z.number().int(),
  extra_data: z.unknown(),
});
export type McpServer = z.infer<typeof mcpServerSchema>;

/** A knowledge document. */
export const knowledgeDocumentSchema = z.object({
  document_id: z.string(),
  title: z.string(),
  file: nullableText,
  processed: z.boolean(),
  processed_v2: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  description: z.string(),
  search_count: z.number().int(),
  ef_search: z.number().int(),
});
export type KnowledgeDocument = z.infer<typeof knowledgeDocumentSchema>;

/** Answer of GET …/text_normalization_config/{id}/download/: the URL of the rules as CSV. */
export const textNormalizationDownloadSchema = z.object({
  config_id: z.string(),
  config_name: z.string(),
  file_url: z.string(),
});

/** Query of GET …/modelstyle/. */
export const modelStyleQuerySchema = pageQuerySchema.extend({
  platform_type: z.enum(platformTypes).optional(),
});

/** Answers of the list operations. */
export const promptListSchema = z.array(promptSchema);
export const llmTypeListSchema = z.array(llmTypeSchema);
export const ttsTypeListSchema = z.array(ttsTypeSchema);
export const sttTypeListSchema = z.array(sttTypeSchema);
export const modelStyleListSchema = z.array(modelStyleSchema);
export const textNormalizationConfigListSchema = z.array(textNormalizationConfigSchema);
export const backgroundImageListSchema = z.array(backgroundImageSchema);
export const mcpServerListSchema = z.array(mcpServerSchema);
export const knowledgeDocumentListSchema = z.array(knowledgeDocumentSchema);
