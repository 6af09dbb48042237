import * as schemas from "../../../protocol/catalogue.ts";
import { sessionTemplateListSchema, sessionTemplateSchema } from "../../../protocol/session-template.ts";
import type { SessionTemplate } from "../../../protocol/session-template.ts";
import type { ReadableCatalogue } from "../../available-catalogue.ts";
import { Fault } from "../../fault.ts";
import type { PublicFiles } from "../../sessions/public-files.ts";
import { sessionTemplateView } from "../answers/session-template-view.ts";
import type { Caller } from "../identity.ts";
import { listOperation } from "../operations/list-operation.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";
import { catalogueList, wholeEntry } from "./catalogue-list.ts";

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
