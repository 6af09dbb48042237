import type {
  AgentConfig,
  BackgroundImage,
  InteractiveAgentConfig,
  LlmType,
  McpServer,
  ModelStyle,
  Prompt,
  SttType,
  TextNormalizationConfig,
  TtsType,
} from "../../protocol/catalogue.ts";

/** A knowledge document as the interface shows it (interface specification, Nested objects). */
interface KnowledgeDocument {
  document_id: string;
  title: string;
  file: string | null;
  processed: boolean;
  processed_v2: boolean;
  created_at: string;
  updated_at: string;
  description: string;
  search_count: number;
  ef_search: number;
}

/**
 * What a session can name, by kind. Addresses of files that this server serves itself are kept as paths (`/…`) and
 * become URLs when they are answered.
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
}

export type CatalogueKind = keyof CatalogueKinds;
