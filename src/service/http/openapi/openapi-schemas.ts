import * as catalogue from "../../../protocol/catalogue.ts";
import {
  accountSchema,
  consoleLoginSchema,
  consoleSessionSchema,
  invitationSchema,
} from "../../../protocol/console/accounts.ts";
import { auditEntrySchema } from "../../../protocol/console/audit.ts";
import { formResourcesSchema } from "../../../protocol/console/form-resources.ts";
import { embedContextSchema, embedSnippetSchema } from "../../../protocol/embed-context.ts";
import { authErrorBodySchema, errorBodySchema } from "../../../protocol/error-body.ts";
import { iceServerSchema } from "../../../protocol/ice.ts";
import type { WireSchema } from "../../../protocol/json-schema.ts";
import { sessionEventSchema } from "../../../protocol/session-event.ts";
import { sessionTemplateSchema } from "../../../protocol/session-template.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../../protocol/session.ts";
import { voiceSchema, voicesPageSchema } from "../../../protocol/voice.ts";

/** The objects of the interface, by the names that the document refers to them by. */
export const namedSchemas: ReadonlyMap<string, WireSchema> = new Map<string, WireSchema>([
  ["Account", accountSchema],
  ["AgentConfig", catalogue.agentConfigSchema],
  ["AuthenticationError", authErrorBodySchema],
  ["AuditEntry", auditEntrySchema],
  ["BackgroundImage", catalogue.backgroundImageSchema],
  ["Capability", catalogue.capabilitySchema],
  ["ConsoleLogin", consoleLoginSchema],
  ["ConsoleSession", consoleSessionSchema],
  ["Document", catalogue.knowledgeDocumentSchema],
  ["EmbedContext", embedContextSchema],
  ["EmbedSnippet", embedSnippetSchema],
  ["Error", errorBodySchema],
  ["FormResources", formResourcesSchema],
  ["IceServer", iceServerSchema],
  ["InteractiveAgentConfig", catalogue.interactiveAgentConfigSchema],
  ["Invitation", invitationSchema],
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
