import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  agentConfigSchema,
  backgroundImageSchema,
  interactiveAgentConfigSchema,
  knowledgeDocumentSchema,
  llmTypeSchema,
  mcpServerSchema,
  modelStyleSchema,
  promptSchema,
  sttTypeSchema,
  textNormalizationConfigSchema,
  ttsTypeSchema,
} from "../../../protocol/catalogue.ts";
import { sessionTemplateRecordSchema } from "../../../protocol/session/session-template.ts";
import { defaultPaddings } from "../../../protocol/settings/stage-settings.ts";
import { voiceSchema } from "../../../protocol/speech/voice.ts";
import { headerValueSchema } from "../../header-value.ts";
import type { OperationSchema } from "../../http/operations/validation.ts";
import { mcpTimeoutRangeSec } from "../../language/language-model.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import type { EngineSettings } from "../../store/store.ts";
import type { CheckPlace } from "../check-place.ts";
import {
  checkAgentConfig,
  checkBackgroundImage,
  checkChatEngine,
  checkDocument,
  checkInteractiveAgent,
  checkListedVoice,
  checkMcpServer,
  checkNormalization,
  checkRecognitionEngine,
  checkSessionTemplate,
  checkVoiceEngine,
} from "./entry-checks.ts";
import { checkModelStyle } from "./character-checks.ts";
import { checkNoSettings } from "./private-settings.ts";

/** Values for fields that an operator omits. */
interface Circumstances {
  /** ISO 8601. */
  now: string;
  organizationId: string;
}

/** How operators edit the entries of one kind. */
export interface CatalogueLine<Body> {
  /** The schema of the whole body. */
  schema: { shape: object; strict(): OperationSchema<Body> };
  /** The field that identifies entries, and the field that people know them by. */
  id: keyof Body & string;
  name: keyof Body & string;
  /** The defaults of every optional field. */
  defaults(circumstances: Circumstances): Partial<Body>;
  /**
   * Throws a Fault when the entry or its private settings (fields that begin with `engine`) are invalid. Returns notes for the
   * operator on what is still missing.
   */
  check(body: Body, engine: EngineSettings | null, place: CheckPlace): string[] | Promise<string[]>;
}

/** The identifiers of a template that names nothing. */
export const namesNothing = {
  prompt: null,
  document: null,
  llm_type: null,
  tts_type: null,
  text_normalization_config: null,
  text_normalization_locale: null,
  stt_type: null,
  stt_text_normalization_config: null,
  stt_text_normalization_locale: null,
  model_style: null,
  agent: null,
  agent_config: null,
  interactive_agent_config: null,
  background_image: null,
};

/** One row per kind. Every kind gets its commands from it. */
export const catalogueTable: { [Kind in CatalogueKind]: CatalogueLine<CatalogueKinds[Kind]> } = {
  prompt: {
    schema: promptSchema,
    id: "prompt_id",
    name: "name",
    defaults: () => ({
      prompt_id: randomUUID(),
      description: "",
      require_document: false,
      intro_message: "",
    }),
    check: (_body, engine) => checkNoSettings(engine, "A prompt"),
  },
  document: {
    schema: knowledgeDocumentSchema,
    id: "document_id",
    name: "title",
    defaults: ({ now }) => ({
      document_id: randomUUID(),
      file: null,
      processed: false,
      processed_v2: false,
      created_at: now,
      updated_at: now,
      description: "",
      search_count: 0,
      ef_search: 0,
    }),
    check: checkDocument,
  },
  llm_type: {
    schema: llmTypeSchema,
    id: "name",
    name: "name",
    defaults: () => ({}),
    check: checkChatEngine,
  },
  tts_type: {
    schema: ttsTypeSchema,
    id: "name",
    name: "name",
    defaults: () => ({
      streamable: true,
      model: null,
      voice: null,
      voice_settings: null,
      style: null,
      voice_extra_data: null,
    }),
    check: checkVoiceEngine,
  },
  stt_type: {
    schema: sttTypeSchema,
    id: "name",
    name: "name",
    defaults: () => ({ options: null }),
    check: checkRecognitionEngine,
  },
  model_style: {
    schema: modelStyleSchema,
    id: "name",
    name: "name",
    defaults: () => ({
      model_files: [],
      style: null,
      files: [],
      configs: [],
      model_file: null,
      file: null,
      platform_type: "webrtc",
    }),
    check: checkModelStyle,
  },
  background_image: {
    schema: backgroundImageSchema,
    id: "backgroundimage_id",
    name: "title",
    defaults: ({ now }) => ({ backgroundimage_id: randomUUID(), created_at: now }),
    check: checkBackgroundImage,
  },
  text_normalization_config: {
    schema: textNormalizationConfigSchema,
    id: "textnormalizationconfig_id",
    name: "name",
    defaults: ({ now }) => ({
      textnormalizationconfig_id: randomUUID(),
      pre_hook_url: null,
      post_hook_url: null,
      created_at: now,
      hook_enabled: false,
      pre_hook_args: null,
      post_hook_args: null,
    }),
    check: checkNormalization,
  },
  agent_config: {
    schema: agentConfigSchema,
    id: "agentconfig_id",
    name: "name",
    defaults: ({ now }) => ({
      agentconfig_id: randomUUID(),
      created_at: now,
      updated_at: now,
      config: null,
    }),
    check: checkAgentConfig,
  },
  interactive_agent_config: {
    schema: interactiveAgentConfigSchema.extend({
      interactiveagentconfig_id: z.string().startsWith("pliac-"),
    }),
    id: "interactiveagentconfig_id",
    name: "name",
    defaults: ({ organizationId }) => ({
      interactiveagentconfig_id: `pliac-${randomUUID()}`,
      description: "",
      intro_message: "",
      organization: organizationId,
    }),
    check: checkInteractiveAgent,
  },
  mcp_server: {
    schema: mcpServerSchema.extend({
      auth_header: headerValueSchema.nullable(),
      server_timeout_sec: z.number().int().min(mcpTimeoutRangeSec[0]).max(mcpTimeoutRangeSec[1]),
    }),
    id: "mcpserver_id",
    name: "name",
    defaults: ({ organizationId }) => ({
      mcpserver_id: randomUUID(),
      organization: organizationId,
      description: "",
      auth_header: null,
      server_timeout_sec: 30,
      extra_data: null,
    }),
    check: checkMcpServer,
  },
  session_template: {
    schema: sessionTemplateRecordSchema,
    id: "sessiontemplate_id",
    name: "name",
    defaults: ({ now }) => ({
      sessiontemplate_id: randomUUID(),
      created_at: now,
      last_used_at: null,
      description: "",
      ...namesNothing,
      ...defaultPaddings,
      capability: ["STF_WEBRTC"],
      mcp_servers: [],
      extra_data: null,
    }),
    check: checkSessionTemplate,
  },
  voice: {
    schema: voiceSchema,
    id: "voice_id",
    name: "name",
    defaults: ({ now }) => ({ voice_id: randomUUID(), created_at: now, description: "" }),
    check: checkListedVoice,
  },
};
