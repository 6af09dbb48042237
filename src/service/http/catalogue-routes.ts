import type { Hono } from "hono";
import * as schemas from "../../protocol/catalogue.ts";
import { sessionTemplateListSchema, sessionTemplateSchema } from "../../protocol/session-template.ts";
import type { SessionTemplate } from "../../protocol/session-template.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import { Fault } from "../fault.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import { operation } from "./operation.ts";
import type { OperationSchema } from "./operation.ts";
import { pathPart, route } from "./routing.ts";
import { sessionTemplateView } from "./session-template-view.ts";
import type { Caller } from "./visit.ts";

interface ListDescription {
  id: string;
  summary: string;
  /** Of the whole answer. */
  schema: OperationSchema<unknown>;
}

function listRoute(
  app: Hono,
  path: string,
  { id, summary, schema }: ListDescription,
  read: (caller: Caller) => Promise<unknown[]>,
): void {
  route(app, path, {
    GET: operation(
      {
        id,
        tag: "Catalogues",
        summary,
        access: "console",
        answer: { status: 200, description: "The entries in the order they were added", schema },
      },
      ({ caller }) => read(caller),
    ),
  });
}

/** A tool server as a caller may see it: its secret only with an API key. */
function toolServer(server: schemas.McpServer, { by }: Caller): schemas.McpServer {
  return by === "key" ? server : { ...server, auth_header: null };
}

/** A template as a caller may see it: its tool servers as anywhere. */
function template(whole: SessionTemplate, caller: Caller): SessionTemplate {
  return { ...whole, mcp_servers: whole.mcp_servers.map((server) => toolServer(server, caller)) };
}

function modelStyleRoute(app: Hono, catalogue: ReadableCatalogue, files: PublicFiles): void {
  route(app, "/api/v1/settings/modelstyle/", {
    GET: operation(
      {
        id: "listModelStyles",
        tag: "Catalogues",
        summary: "List model styles",
        access: "console",
        query: { schema: schemas.modelStyleQuerySchema },
        answer: {
          status: 200,
          description: "The model styles, of one platform where it is named",
          schema: schemas.modelStyleListSchema,
        },
      },
      async ({ caller, query: { platform_type: platform } }) =>
        (await catalogue.list("model_style", caller.organizationId))
          .filter((style) => platform === undefined || style.platform_type === platform)
          .map((style) => files.modelStyle(style)),
    ),
  });
}

function templateRoutes(app: Hono, catalogue: ReadableCatalogue, files: PublicFiles): void {
  listRoute(
    app,
    "/api/v1/session_template/",
    { id: "listSessionTemplates", summary: "List session templates", schema: sessionTemplateListSchema },
    async (caller) => {
      const records = await catalogue.list("session_template", caller.organizationId);
      return Promise.all(
        records.map(async (record) =>
          template(await sessionTemplateView(catalogue, files, caller.organizationId, record), caller),
        ),
      );
    },
  );
  route(app, "/api/v1/session_template/:sessiontemplate/", {
    GET: operation(
      {
        id: "retrieveSessionTemplate",
        tag: "Catalogues",
        summary: "Retrieve a session template with everything that it names",
        access: "key",
        answer: { status: 200, description: "The session template", schema: sessionTemplateSchema },
      },
      async ({ context, caller: { organizationId } }) => {
        const id = pathPart(context, "sessiontemplate");
        const record = await catalogue.find("session_template", organizationId, id);
        if (record === null) throw Fault.notFound();
        return sessionTemplateView(catalogue, files, organizationId, record);
      },
    ),
  });
}

/** What sessions can name (interface specification, Session resources; wire conventions, Operations). */
export function catalogueRoutes(app: Hono, catalogue: ReadableCatalogue, files: PublicFiles): void {
  modelStyleRoute(app, catalogue, files);
  templateRoutes(app, catalogue, files);
  const list = (path: string, description: ListDescription, kind: Parameters<typeof catalogue.list>[0]) =>
    listRoute(app, path, description, ({ organizationId }) => catalogue.list(kind, organizationId));
  list(
    "/api/v1/settings/tts_type/",
    { id: "listTtsTypes", summary: "List TTS types", schema: schemas.ttsTypeListSchema },
    "tts_type",
  );
  list(
    "/api/v1/settings/llm_type/",
    { id: "listLlmTypes", summary: "List LLM types", schema: schemas.llmTypeListSchema },
    "llm_type",
  );
  list(
    "/api/v1/settings/stt_type/",
    { id: "listSttTypes", summary: "List STT types", schema: schemas.sttTypeListSchema },
    "stt_type",
  );
  list(
    "/api/v1/prompt/",
    { id: "listPrompts", summary: "List prompts", schema: schemas.promptListSchema },
    "prompt",
  );
  listRoute(
    app,
    "/api/v1/settings/mcp_type/",
    { id: "listMcpTypes", summary: "List tool servers", schema: schemas.mcpServerListSchema },
    async (caller) =>
      (await catalogue.list("mcp_server", caller.organizationId)).map((server) => toolServer(server, caller)),
  );
}
