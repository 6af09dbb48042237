import * as z from "zod";
import {
  agentConfigSchema,
  backgroundImageSchema,
  capabilityNames,
  capabilitySchema,
  interactiveAgentConfigSchema,
  llmTypeSchema,
  mcpServerSchema,
  modelStyleSchema,
  promptSchema,
  sttTypeSchema,
  textNormalizationConfigSchema,
  ttsTypeSchema,
} from "../catalogue.ts";
import { iceServerSchema } from "./ice.ts";

/** The states of a session (interface specification, States and transitions). */
export const sessionStatuses = ["CREATED", "EXCHANGED", "IN_PROGRESS", "TERMINATED"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Why a session ended. */
export const terminationReasons = [
  "GRACEFUL_TERMINATION",
  "SESSION_EXPIRED_BEFORE_CONNECTION",
  "SESSION_LOST_AFTER_CONNECTION",
  "SESSION_MISC_ERROR",
  "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED",
  "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
  "INSUFFICIENT_CREDITS",
] as const;
export type TerminationReason = (typeof terminationReasons)[number];

const identifier = z.string().min(1);
const locale = z.string().max(10);

/**
 * Body of POST /api/v1/session/ (interface specification, Session as created): shapes and field limits. The service checks
 * the rules that involve several fields (capabilities 1–6).
 */
export const sessionCreateSchema = z.object({
  capability: z.array(z.enum(capabilityNames)).min(1).optional(),
  prompt: identifier.optional(),
  document: identifier.optional(),
  llm_type: identifier.optional(),
  tts_type: identifier.optional(),
  text_normalization_config: identifier.optional(),
  text_normalization_locale: locale.optional(),
  stt_type: identifier.optional(),
  stt_text_normalization_config: identifier.optional(),
  stt_text_normalization_locale: locale.optional(),
  model_style: identifier.optional(),
  agent: z.string().max(255).optional(),
  agent_config: identifier.optional(),
  interactive_agent_config: identifier.startsWith("pliac-").optional(),
  padding_left: z.number().min(-1).max(1).optional(),
  padding_top: z.number().min(0).max(1).optional(),
  padding_height: z.number().min(0).max(5).optional(),
  background_image: identifier.optional(),
  extra_data: z.unknown().optional(),
  mcp_servers: z.array(identifier).max(50).optional(),
  /** The template whose response is sent back as this body; its `last_used_at` is set. Anything that names none is ignored. */
  sessiontemplate_id: z.unknown().optional(),
});
export type SessionCreate = z.infer<typeof sessionCreateSchema>;

/** Answer of session create: the fields of the request (null when missing) and those of the session. */
export const sessionCreatedSchema = z.object({
  session_id: z.string(),
  created_at: z.string(),
  status: z.enum(sessionStatuses),
  capability: z.array(z.enum(capabilityNames)),
  prompt: z.string().nullable(),
  document: z.string().nullable(),
  llm_type: z.string().nullable(),
  tts_type: z.string().nullable(),
  text_normalization_config: z.string().nullable(),
  text_normalization_locale: z.string().nullable(),
  stt_type: z.string().nullable(),
  stt_text_normalization_config: z.string().nullable(),
  stt_text_normalization_locale: z.string().nullable(),
  model_style: z.string().nullable(),
  agent: z.string().nullable(),
  agent_config: z.string().nullable(),
  interactive_agent_config: z.string().nullable(),
  padding_left: z.number(),
  padding_top: z.number(),
  padding_height: z.number(),
  background_image: z.string().nullable(),
  extra_data: z.unknown(),
  mcp_servers: z.array(z.string()),
});
export type SessionCreated = z.infer<typeof sessionCreatedSchema>;

const hookFields = {
  pre_hook_url: true,
  post_hook_url: true,
  hook_enabled: true,
  pre_hook_args: true,
  post_hook_args: true,
} as const;

/**
 * Answer of session retrieve, with the nested objects of the interface. The optional fields are hidden from callers without
 * an API key.
 */
export const sessionRetrievedSchema = z.object({
  session_id: z.string(),
  client_sdp: z.string().nullable(),
  server_sdp: z.string().nullable(),
  prompt: promptSchema.partial({ system_prompt: true, description: true }).nullable(),
  llm_type: llmTypeSchema.nullable(),
  model_style: modelStyleSchema.nullable(),
  tts_type: ttsTypeSchema.partial({ voice_settings: true, voice_extra_data: true }).nullable(),
  text_normalization_config: textNormalizationConfigSchema.partial(hookFields).nullable(),
  text_normalization_locale: z.string().nullable(),
  stt_type: sttTypeSchema.partial({ options: true }).nullable(),
  stt_text_normalization_config: textNormalizationConfigSchema.partial(hookFields).nullable(),
  stt_text_normalization_locale: z.string().nullable(),
  ice_servers: z.array(iceServerSchema),
  status: z.enum(sessionStatuses),
  termination_reason: z.enum(terminationReasons).nullable(),
  duration_sec: z.number().int(),
  created_at: z.string(),
  session_acls: z.array(z.string()),
  padding_left: z.number(),
  padding_top: z.number(),
  padding_height: z.number(),
  background_image: backgroundImageSchema.nullable(),
  extra_data: z.unknown(),
  capability: z.array(capabilitySchema),
  agent_config: agentConfigSchema.nullable(),
  interactive_agent_config: interactiveAgentConfigSchema
    .partial({ description: true, organization: true })
    .nullable(),
  /** Empty for a caller without an API key. */
  mcp_servers: z.array(mcpServerSchema),
  document: z.string().nullable(),
});
export type SessionRetrieved = z.infer<typeof sessionRetrievedSchema>;
