import * as catalogue from "../../protocol/catalogue.ts";
import { consoleSessionSchema, formResourcesSchema } from "../../protocol/console.ts";
import { embedContextSchema, embedSnippetSchema } from "../../protocol/embed-context.ts";
import { authErrorBodySchema, errorBodySchema } from "../../protocol/error-body.ts";
import { iceServerSchema } from "../../protocol/ice.ts";
import type { WireSchema } from "../../protocol/json-schema.ts";
import { sessionEventSchema } from "../../protocol/session-event.ts";
import { sessionTemplateSchema } from "../../protocol/session-template.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../protocol/session.ts";
import { voiceSchema, voicesPageSchema } from "../../protocol/voice.ts";

/** The wire's objects by the names under which the document's schemas refer to them. */
export const namedSchemas: ReadonlyMap<string, WireSchema> = new Map<string, WireSchema>([
  ["AgentConfig", catalogue.agentConfigSchema],
  ["AuthenticationError", authErrorBodySchema],
  ["BackgroundImage", catalogue.backgroundImageSchema],
  ["Capability", catalogue.capabilitySchema],
  ["ConsoleSession", consoleSessionSchema],
  ["Document", catalogue.knowledgeDocumentSchema],
  ["EmbedContext", embedContextSchema],
  ["EmbedSnippet", embedSnippetSchema],
  ["Error", errorBodySchema],
  ["FormResources", formResourcesSchema],
  ["IceServer", iceServerSchema],
  ["InteractiveAgentConfig", catalogue.interactiveAgentConfigSchema],
  ["LlmType", catalogue.llmTypeSchema],
  ["McpServer", catalogue.mcpServerSchema],
  ["ModelStyle", catalogue.modelStyleSchema],
  ["Prompt", catalogue.promptSchema],
  ["Session", sessionRetrievedSchema],
  ["SessionCreated", sessionCreatedSchema],
  ["SessionEvent", sessionEventSchema],
  ["SessionTemplate", sessionTemplateSchema],
  ["SttType", catalogue.sttTypeSchema],
  ["TextNormalizationConfig", catalogue.textNormalizationConfigSchema],
  ["TtsType", catalogue.ttsTypeSchema],
  ["Voice", voiceSchema],
  ["VoicesPage", voicesPageSchema],
]);
