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
} from "../../protocol/catalogue.ts";
import { sessionTemplateRecordSchema } from "../../protocol/session-template.ts";
import { defaultPaddings } from "../../protocol/stage-settings.ts";
import { voiceSchema } from "../../protocol/voice.ts";
import { Fault } from "../../service/fault.ts";
import { checkRules } from "../../service/normalization/rule-check.ts";
import type { CatalogueKind, CatalogueKinds } from "../../service/store/catalogue-kinds.ts";
import type { EngineSettings } from "../../service/store/store.ts";
import {
  checkChatEngine,
  checkRecognitionEngine,
  checkVoiceEngine,
  type EngineMachine,
} from "./engine-check.ts";

/** What the fields that an operator leaves out become. */
interface Circumstances {
  /** ISO 8601. */
  now: string;
  organizationId: string;
}

/** How operators edit the entries of a kind. */
export interface CatalogueLine<Body> {
  /** Of the whole body. */
  schema: z.ZodObject;
  /** The field that tells entries apart, and the one that people know them by. */
  id: keyof Body & string;
  name: keyof Body & string;
  /** Every field that may be left out. */
  defaults(circumstances: Circumstances): Partial<Body>;
  /**
   * Throws a Fault, its fields beginning with `engine`, where the settings cannot be right. Answers with what the engine
   * still needs, in words for the operator.
   */
  checkEngine?(body: Body, engine: EngineSettings | null, machine: EngineMachine): string[];
}

/** The identifiers of a template that is silent about them. */
const namesNothing = {
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

/** One line a kind: every kind has its commands. */
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
  },
  llm_type: {
    schema: llmTypeSchema,
    id: "name",
    name: "name",
    defaults: () => ({}),
    checkEngine: checkChatEngine,
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
    checkEngine: checkVoiceEngine,
  },
  stt_type: {
    schema: sttTypeSchema,
    id: "name",
    name: "name",
    defaults: () => ({ options: null }),
    checkEngine: checkRecognitionEngine,
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
  },
  background_image: {
    schema: backgroundImageSchema,
    id: "backgroundimage_id",
    name: "title",
    defaults: ({ now }) => ({ backgroundimage_id: randomUUID(), created_at: now }),
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
    checkEngine(_body, engine) {
      const check = checkRules(engine?.["rules"] ?? []);
      if (check.ok) return [];
      throw Fault.validation(check.faults.map((fault) => ({ ...fault, attr: `engine.${fault.attr ?? ""}` })));
    },
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
  },
  mcp_server: {
    schema: mcpServerSchema,
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
  },
  voice: {
    schema: voiceSchema,
    id: "voice_id",
    name: "name",
    defaults: ({ now }) => ({ voice_id: randomUUID(), created_at: now, description: "" }),
  },
};
