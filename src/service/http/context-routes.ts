import type { Hono } from "hono";
import { contextsQuerySchema, embedContextListSchema } from "../../protocol/console.ts";
import {
  embedContextPutSchema,
  embedContextSchema,
  embedSnippetSchema,
} from "../../protocol/embed-context.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import type { Clock } from "../clock.ts";
import { checkedContextSettings, contextView, newContext } from "../context-settings.ts";
import { Fault } from "../fault.ts";
import type { ContextRecord, Store } from "../store/store.ts";
import { embedSnippet } from "./embed-snippet.ts";
import { operation } from "./operation.ts";
import type { FormFields } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";

const putForm: FormFields = {
  numbers: ["max_session_sec"],
  booleans: ["is_active"],
  structures: ["embed_config"],
};

interface ContextDependencies {
  store: Store;
  catalogue: ReadableCatalogue;
  clock: Clock;
  publicUrl: string;
  /** Where the built loader is. */
  publicFolder: string;
}

async function namedContext(store: Store, organizationId: string, id: string): Promise<ContextRecord> {
  const context = await store.contexts.byUuid(organizationId, id.toLowerCase());
  if (context === null) throw Fault.notFound();
  return context;
}

const tag = "Embed contexts";
const access = "console";
/** Room for instructions as long as they may be, in any script and as a form has them: nine bytes a character. */
const settingsMaxBytes = 2 * 1024 * 1024;
const settingsBody = {
  schema: embedContextPutSchema,
  form: putForm,
  maxBytes: settingsMaxBytes,
  textMaxBytes: settingsMaxBytes,
};
const oneContext = { status: 200, description: "The context", schema: embedContextSchema } as const;

function collectionRoute(app: Hono, { store, catalogue, clock }: ContextDependencies): void {
  route(app, "/api/console/b2c/contexts/", {
    GET: operation(
      {
        id: "listContexts",
        tag,
        summary: "List embed contexts, or find one by its embed key",
        access,
        query: { schema: contextsQuerySchema },
        answer: { status: 200, description: "The contexts", schema: embedContextListSchema },
      },
      async ({ caller: { organizationId }, query: { context_id: contextId } }) => {
        const found =
          contextId === undefined
            ? await store.contexts.list(organizationId)
            : [await store.contexts.byContextId(organizationId, contextId)];
        return found.filter((record) => record !== null).map(contextView);
      },
    ),
    POST: operation(
      {
        id: "createContext",
        tag,
        summary: "Create an embed context",
        access,
        body: settingsBody,
        answer: { ...oneContext, status: 201 },
      },
      async ({ caller: { organizationId }, body }) => {
        const settings = await checkedContextSettings(catalogue, organizationId, body);
        const created = newContext(organizationId, settings, clock.nowMs());
        await store.contexts.insert(created);
        return contextView(created);
      },
    ),
  });
}

function contextRoute(app: Hono, { store, catalogue, clock }: ContextDependencies): void {
  route(app, "/api/console/b2c/contexts/:context/", {
    GET: operation(
      { id: "retrieveContext", tag, summary: "Retrieve an embed context", access, answer: oneContext },
      async ({ context, caller }) =>
        contextView(await namedContext(store, caller.organizationId, pathPart(context, "context"))),
    ),
    PUT: operation(
      {
        id: "replaceContext",
        tag,
        summary: "Replace every setting of an embed context: what is left out is reset",
        access,
        body: settingsBody,
        answer: oneContext,
      },
      async ({ context, caller: { organizationId }, body }) => {
        const { id } = await namedContext(store, organizationId, pathPart(context, "context"));
        const settings = await checkedContextSettings(catalogue, organizationId, body);
        const replaced = await store.contexts.replace(organizationId, id, settings, clock.nowMs());
        if (replaced === null) throw Fault.notFound();
        return contextView(replaced);
      },
    ),
    DELETE: operation(
      {
        id: "deleteContext",
        tag,
        summary: "Delete an embed context",
        access,
        answer: { status: 204, description: "It is gone" },
      },
      async ({ context, caller: { organizationId } }) => {
        const id = pathPart(context, "context").toLowerCase();
        if (!(await store.contexts.remove(organizationId, id))) throw Fault.notFound();
      },
    ),
  });
}

/** Embed contexts for their owners (interface specification, Embed contexts). */
export function contextRoutes(app: Hono, dependencies: ContextDependencies): void {
  const { store, publicUrl, publicFolder } = dependencies;
  collectionRoute(app, dependencies);
  contextRoute(app, dependencies);
  route(app, "/api/console/b2c/contexts/:context/embed/", {
    GET: operation(
      {
        id: "retrieveEmbedSnippet",
        tag,
        summary: "Get the markup that embeds a context",
        access,
        answer: { status: 200, description: "The snippet", schema: embedSnippetSchema },
      },
      async ({ context, caller }) => {
        const record = await namedContext(store, caller.organizationId, pathPart(context, "context"));
        return embedSnippet(record, { publicUrl, publicFolder });
      },
    ),
  });
}
