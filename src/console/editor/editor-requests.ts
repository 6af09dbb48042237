import {
  contextDraftSchema,
  contextPagesSchema,
  contextVersionListSchema,
  type ContextPages,
  type ContextVersion,
} from "../../protocol/console/avatars.ts";
import { formResourcesSchema } from "../../protocol/console/form-resources.ts";
import {
  knowledgeDocumentListSchema,
  llmTypeListSchema,
  mcpServerListSchema,
  promptListSchema,
  sttTypeListSchema,
} from "../../protocol/catalogue.ts";
import {
  embedContextSchema,
  embedSnippetSchema,
  type EmbedContextAnswer,
} from "../../protocol/settings/embed-context.ts";
import type { ApiClient } from "../api/api-client.ts";
import type { EditorServer } from "./editor-state.ts";
import type { EditorResources } from "./editor-view.ts";

const contextPath = (id: string): string => `/api/console/b2c/contexts/${encodeURIComponent(id)}/`;
const avatarPath = (id: string): string => `/api/console/contexts/${encodeURIComponent(id)}/`;

/** An avatar as it is saved. Throws ApiError. */
export const loadContext = (api: ApiClient, id: string, signal?: AbortSignal): Promise<EmbedContextAnswer> =>
  api.request(contextPath(id), { schema: embedContextSchema, ...(signal && { signal }) });

/** What avatars can consist of, and the snippet of one. Throws ApiError. */
export async function loadResources(api: ApiClient, id: string): Promise<EditorResources> {
  const [form, snippet, llmTypes, sttTypes, prompts, documents, servers] = await Promise.all([
    api.request("/api/console/b2c/form-resources/", { schema: formResourcesSchema }),
    api.request(`${contextPath(id)}embed/`, { schema: embedSnippetSchema }),
    api.request("/api/v1/settings/llm_type/", { schema: llmTypeListSchema }),
    api.request("/api/v1/settings/stt_type/", { schema: sttTypeListSchema }),
    api.request("/api/v1/prompt/", { schema: promptListSchema }),
    api.request("/api/v1/document/", { schema: knowledgeDocumentListSchema }),
    api.request("/api/v1/settings/mcp_type/", { schema: mcpServerListSchema }),
  ]);
  return {
    ...form,
    snippet,
    llm_types: llmTypes,
    stt_types: sttTypes,
    prompts,
    documents,
    mcp_servers: servers,
  };
}

/** The sites that load an avatar. Throws ApiError. */
export const loadPages = (api: ApiClient, id: string): Promise<ContextPages> =>
  api.request(`${avatarPath(id)}pages/`, { schema: contextPagesSchema });

/** The last versions. Throws ApiError. */
export const loadVersions = (api: ApiClient, id: string): Promise<ContextVersion[]> =>
  api.request(`${avatarPath(id)}versions/`, { schema: contextVersionListSchema });

/** Saves a former version again. Throws ApiError. */
export const restoreVersion = (api: ApiClient, id: string, revision: number): Promise<EmbedContextAnswer> =>
  api.request(`${avatarPath(id)}versions/${revision}/restore/`, {
    method: "POST",
    schema: embedContextSchema,
  });

/** What the editor's form asks the server for. */
export function editorServer(api: ApiClient, id: string): EditorServer {
  const draft = `${avatarPath(id)}draft/`;
  return {
    save: (settings, revision) =>
      api.request(contextPath(id), {
        method: "PUT",
        body: { ...settings, revision },
        schema: embedContextSchema,
      }),
    draft: () => api.request(draft, { schema: contextDraftSchema.nullable() }),
    async keepDraft(settings, revision) {
      await api.request(draft, { method: "PUT", body: { settings, revision } });
    },
    async dropDraft() {
      await api.request(draft, { method: "DELETE" });
    },
    version: async (revision) =>
      (await loadVersions(api, id)).find((version) => version.revision === revision)?.settings ?? null,
  };
}
