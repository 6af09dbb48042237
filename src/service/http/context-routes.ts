import type { Hono } from "hono";
import { embedContextPutSchema } from "../../protocol/embed-context.ts";
import type { EmbedContext } from "../../protocol/embed-context.ts";
import type { Clock } from "../clock.ts";
import { contextReferenceFaults } from "../context-references.ts";
import { Fault } from "../fault.ts";
import type { ContextRecord, Store } from "../store/store.ts";
import type { ApiKeyCheck } from "./api-key-check.ts";
import { embedSnippet } from "./embed-snippet.ts";
import type { FormFields } from "./request-fields.ts";
import { readRequestFields } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";
import { validated } from "./validation.ts";

const putForm: FormFields = {
  numbers: ["max_session_sec"],
  booleans: ["is_active"],
  structures: ["embed_config"],
};

function contextView(context: ContextRecord): EmbedContext {
  const { organizationId: _organization, contextId, createdAtMs, updatedAtMs, ...settings } = context;
  return {
    ...settings,
    context_id: contextId,
    created_at: new Date(createdAtMs).toISOString(),
    updated_at: new Date(updatedAtMs).toISOString(),
  };
}

function viewerTitle({ name, embed_config }: ContextRecord): string {
  return `${embed_config.ui?.avatar_name ?? name}, AI assistant`;
}

interface ContextDependencies {
  store: Store;
  clock: Clock;
  publicUrl: string;
}

/** Embed contexts for their owners (interface specification, Embed contexts). */
export function contextRoutes(
  app: Hono,
  { store, clock, publicUrl }: ContextDependencies,
  checkApiKey: ApiKeyCheck,
): void {
  async function named(organizationId: string, id: string): Promise<ContextRecord> {
    const context = await store.contexts.byUuid(organizationId, id.toLowerCase());
    if (context === null) throw Fault.notFound();
    return context;
  }

  route(app, "/api/console/b2c/contexts/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const contextId = context.req.query("context_id");
      const found =
        contextId === undefined
          ? await store.contexts.list(organizationId)
          : [await store.contexts.byContextId(organizationId, contextId)];
      return context.json(found.filter((record) => record !== null).map(contextView));
    },
  });
  route(app, "/api/console/b2c/contexts/:id/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      return context.json(contextView(await named(organizationId, pathPart(context, "id"))));
    },
    PUT: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const { id } = await named(organizationId, pathPart(context, "id"));
      const { fields } = await readRequestFields(context.req.raw, { form: putForm });
      const settings = validated(embedContextPutSchema, fields);
      const faults = await contextReferenceFaults(store.catalogue, organizationId, settings);
      if (faults.length > 0) throw Fault.validation(faults);
      const replaced = await store.contexts.replace(organizationId, id, settings, clock.nowMs());
      if (replaced === null) throw Fault.notFound();
      return context.json(contextView(replaced));
    },
  });
  route(app, "/api/console/b2c/contexts/:id/embed/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const record = await named(organizationId, pathPart(context, "id"));
      return context.json(embedSnippet(publicUrl, record.contextId, viewerTitle(record)));
    },
  });
}
