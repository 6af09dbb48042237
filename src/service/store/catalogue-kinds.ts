import type {
  AgentConfig,
  BackgroundImage,
  InteractiveAgentConfig,
  KnowledgeDocument,
  LlmType,
  McpServer,
  ModelStyle,
  Prompt,
  SttType,
  TextNormalizationConfig,
  TtsType,
} from "../../protocol/catalogue.ts";
import type { SessionTemplateRecord } from "../../protocol/session-template.ts";
import type { Voice } from "../../protocol/voice.ts";

/**
 * The catalogue entries that a session can refer to, by kind. Addresses of files that this server serves are stored as paths
 * (`/…`) and become URLs in answers.
 */
export interface CatalogueKinds {
  prompt: Prompt;
  document: KnowledgeDocument;
  llm_type: LlmType;
  tts_type: TtsType;
  stt_type: SttType;
  model_style: ModelStyle;
  background_image: BackgroundImage;
  text_normalization_config: TextNormalizationConfig;
  agent_config: AgentConfig;
  interactive_agent_config: InteractiveAgentConfig;
  mcp_server: McpServer;
  session_template: SessionTemplateRecord;
  voice: Voice;
}

export type CatalogueKind = keyof CatalogueKinds;
