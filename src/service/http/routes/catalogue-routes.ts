import {
  type SessionTemplate,
  sessionTemplateListSchema,
  type SessionTemplateRecord,
  sessionTemplateSchema,
} from "../../../protocol/session/session-template.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import { capabilityDescriptions } from "../../capability-descriptions.ts";
import type { PublicFiles } from "../../sessions/connection/public-files.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import * as schemas from "../../../protocol/catalogue.ts";
import { Fault } from "../../faults/fault.ts";
import type { Caller } from "../identity.ts";
import { listOperation } from "../operations/list-operation.ts";
import { operation, type Operation } from "../operations/operation.ts";
import { catalogueList, wholeEntry } from "./catalogue-list.ts";

/**
 * A template with the objects that it names, as they are now; null for an object that does not exist. Where its recognizer is not
 * installed, STT is left out: what is answered can be sent back as a session create.
 */
async function sessionTemplateView(
  catalogue: Pick<ReadableCatalogue, "find">,
  files: PublicFiles,
  organizationId: string,
  record: SessionTemplateRecord,
): Promise<SessionTemplate> {
  const find = async <Kind extends CatalogueKind>(
    kind: Kind,
    identifier: string | null,
  ): Promise<CatalogueKinds[Kind] | null> =>
    identifier === null ? null : catalogue.find(kind, organizationId, identifier);
  const style = await find("model_style", record.model_style);
  const image = await find("background_image", record.background_image);
  const recognizer = await find("stt_type", record.stt_type);
  const isDeaf = record.stt_type !== null && recognizer === null;
  const capabilities = record.capability.filter((name) => !(isDeaf && name === "STT"));
  const knowledge = await find("document", record.document);
  const servers = await Promise.all(record.mcp_servers.map((name) => find("mcp_server", name)));
  return {
    ...record,
    capability: capabilities.map((name) => ({ name, description: capabilityDescriptions[name] })),
    prompt: await find("prompt", record.prompt),
    document: knowledge && files.document(knowledge),
    llm_type: await find("llm_type", record.llm_type),
    tts_type: await find("tts_type", record.tts_type),
    stt_type: recognizer,
    text_normalization_config: await find("text_normalization_config", record.text_normalization_config),
    stt_text_normalization_config: await find(
      "text_normalization_config",
      record.stt_text_normalization_config,
    ),
    model_style: style && files.modelStyle(style),
    agent_config: await find("agent_config", record.agent_config),
    interactive_agent_config: await find("interactive_agent_config", record.interactive_agent_config),
    background_image: image && files.backgroundImage(image),
    mcp_servers: servers.filter((server) => server !== null),
  };
}

/** A tool server as a caller may see it: its secret only with an API key. */
function toolServer(server: schemas.McpServer, { by }: Caller): schemas.McpServer {
  return by === "key" ? server : { ...server, auth_header: null };
}

/** A template as a caller may see it. */
function visibleTemplate(template: SessionTemplate, caller: Caller): SessionTemplate {
  return { ...template, mcp_servers: template.mcp_servers.map((server) => toolServer(server, caller)) };
}

const listModelStyles = (catalogue: ReadableCatalogue, files: PublicFiles): Operation =>
  listOperation({
    path: "/api/v1/settings/modelstyle/",
    id: "listModelStyles",
    tag: "Catalogues",
    summary: "List model styles",
    auth: "console",
    query: schemas.modelStyleQuerySchema,
    description: "The model styles, or those of one platform",
    schema: schemas.modelStyleListSchema,
    async read({ caller, query: { platform_type: platform } }, request) {
      const { items, next } = await catalogue.page("model_style", caller.organizationId, request);
      const styles = items
        .map(({ body }) => body)
        .filter((style) => platform === undefined || style.platform_type === platform);
      return { items: styles.map((style) => files.modelStyle(style)), next };
    },
  });

function templateRoutes(catalogue: ReadableCatalogue, files: PublicFiles): Operation[] {
  return [
    catalogueList(catalogue, "session_template", {
      path: "/api/v1/session_template/",
      id: "listSessionTemplates",
      summary: "List session templates",
      schema: sessionTemplateListSchema,
      view: async (record, caller) =>
        visibleTemplate(await sessionTemplateView(catalogue, files, caller.organizationId, record), caller),
    }),
    operation({
      method: "GET",
      path: "/api/v1/session_template/:sessiontemplate/",
      id: "retrieveSessionTemplate",
      tag: "Catalogues",
      summary: "Retrieve a session template with everything that it names",
      auth: "key",
      answer: { status: 200, description: "The session template", schema: sessionTemplateSchema },
      async handler({ params, caller: { organizationId } }) {
        const record = await catalogue.find("session_template", organizationId, params.sessiontemplate);
        if (record === null) throw Fault.notFound();
        return sessionTemplateView(catalogue, files, organizationId, record);
      },
    }),
  ];
}

/** What sessions can name (interface specification, Session resources; wire conventions, Operations). */
export function catalogueRoutes(catalogue: ReadableCatalogue, files: PublicFiles): Operation[] {
  return [
    listModelStyles(catalogue, files),
    ...templateRoutes(catalogue, files),
    catalogueList(catalogue, "tts_type", {
      path: "/api/v1/settings/tts_type/",
      id: "listTtsTypes",
      summary: "List TTS types",
      schema: schemas.ttsTypeListSchema,
      view: wholeEntry,
    }),
    catalogueList(catalogue, "llm_type", {
      path: "/api/v1/settings/llm_type/",
      id: "listLlmTypes",
      summary: "List LLM types",
      schema: schemas.llmTypeListSchema,
      view: wholeEntry,
    }),
    catalogueList(catalogue, "stt_type", {
      path: "/api/v1/settings/stt_type/",
      id: "listSttTypes",
      summary: "List STT types",
      schema: schemas.sttTypeListSchema,
      view: wholeEntry,
    }),
    catalogueList(catalogue, "prompt", {
      path: "/api/v1/prompt/",
      id: "listPrompts",
      summary: "List prompts",
      schema: schemas.promptListSchema,
      view: wholeEntry,
    }),
    catalogueList(catalogue, "mcp_server", {
      path: "/api/v1/settings/mcp_type/",
      id: "listMcpTypes",
      summary: "List tool servers",
      schema: schemas.mcpServerListSchema,
      view: toolServer,
    }),
  ];
}
