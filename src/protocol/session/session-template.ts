import * as z from "zod";
import {
  agentConfigSchema,
  backgroundImageSchema,
  capabilityNames,
  capabilitySchema,
  interactiveAgentConfigSchema,
  knowledgeDocumentSchema,
  llmTypeSchema,
  mcpServerSchema,
  modelStyleSchema,
  promptSchema,
  sttTypeSchema,
  textNormalizationConfigSchema,
  ttsTypeSchema,
} from "../catalogue.ts";

const identifier = z.string().min(1).nullable();
const locale = z.string().max(10).nullable();

/** The fields of a template other than its references to objects. */
const ownFields = {
  sessiontemplate_id: z.string(),
  name: z.string().max(255),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  description: z.string(),
  text_normalization_locale: locale,
  stt_text_normalization_locale: locale,
  agent: z.string().max(255).nullable(),
  padding_left: z.number().min(-1).max(1),
  padding_top: z.number().min(0).max(1),
  padding_height: z.number().min(0).max(5),
  extra_data: z.unknown(),
};

/** A stored template: it references objects by their identifiers. */
export const sessionTemplateRecordSchema = z.object({
  ...ownFields,
  capability: z.array(z.enum(capabilityNames)).min(1),
  prompt: identifier,
  document: identifier,
  llm_type: identifier,
  tts_type: identifier,
  text_normalization_config: identifier,
  stt_type: identifier,
  stt_text_normalization_config: identifier,
  model_style: identifier,
  agent_config: identifier,
  interactive_agent_config: identifier,
  background_image: identifier,
  mcp_servers: z.array(z.string().min(1)).max(50),
});
export type SessionTemplateRecord = z.infer<typeof sessionTemplateRecordSchema>;

/** A template in answers: it contains the objects in their current state (interface specification, Session template). */
export const sessionTemplateSchema = z.object({
  ...ownFields,
  capability: z.array(capabilitySchema),
  prompt: promptSchema.nullable(),
  document: knowledgeDocumentSchema.nullable(),
  llm_type: llmTypeSchema.nullable(),
  tts_type: ttsTypeSchema.nullable(),
  text_normalization_config: textNormalizationConfigSchema.nullable(),
  stt_type: sttTypeSchema.nullable(),
  stt_text_normalization_config: textNormalizationConfigSchema.nullable(),
  model_style: modelStyleSchema.nullable(),
  agent_config: agentConfigSchema.nullable(),
  interactive_agent_config: interactiveAgentConfigSchema.nullable(),
  background_image: backgroundImageSchema.nullable(),
  mcp_servers: z.array(mcpServerSchema),
});
export type SessionTemplate = z.infer<typeof sessionTemplateSchema>;

/** Answer of GET /api/v1/session_template/. */
export const sessionTemplateListSchema = z.array(sessionTemplateSchema);
