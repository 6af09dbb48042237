import {
  contextBodySchema,
  type ContextConflict,
  contextConflictSchema,
  contextsQuerySchema,
  embedContextListSchema,
} from "../../../protocol/console/contexts.ts";
import { embedContextSchema, embedSnippetSchema } from "../../../protocol/settings/embed-context.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import type { Clock } from "../../clock.ts";
import { contextWithWarnings } from "../../administration/contexts/contexts.ts";
import {
  checkedContextSettings,
  contextView,
  furtherContextFaults,
  newContext,
} from "../../contexts/context-settings.ts";
import { Fault } from "../../faults/fault.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { ContextRecord, Store } from "../../store/store.ts";
import { embedSnippet } from "../answers/embed-snippet.ts";
import { type Caller, callerName } from "../identity.ts";
import { listOperation } from "../operations/list-operation.ts";
import { operation, type Operation, OtherAnswer } from "../operations/operation.ts";

interface ContextDependencies {
  store: Store;
  catalogue: ReadableCatalogue;
  clock: Clock;
  sessions: Pick<Sessions, "prepareVoice">;
  publicUrl: string;
  /** Where the built loader is. */
  publicFolder: string;
}

const collectionPath = "/api/console/b2c/contexts/";
const contextPath = "/api/console/b2c/contexts/:context/";
const tag = "Embed contexts";
const auth = "console";
/** Room for the longest instructions, in any script and as a form sends them: nine bytes a character. */
const settingsMaxBytes = 2 * 1024 * 1024;
const settingsBody = ({ catalogue }: ContextDependencies) => ({
  schema: contextBodySchema,
  form: { numbers: ["max_session_sec", "revision"], booleans: ["is_active"], structures: ["embed_config"] },
  maxBytes: settingsMaxBytes,
  textMaxBytes: settingsMaxBytes,
  furtherErrors: ({ organizationId }: Caller, fields: Record<string, unknown>) =>
    furtherContextFaults(catalogue, organizationId, fields),
});
const oneContext = { status: 200, description: "The context", schema: embedContextSchema } as const;

async function namedContext(store: Store, organizationId: string, id: string): Promise<ContextRecord> {
  const context = await store.contexts.byUuid(organizationId, id.toLowerCase());
  if (context === null || context.previewOf !== undefined) throw Fault.notFound();
  return context;
}

/** Somebody else has saved: the answer contains what they saved, so that the form can show both. */
function conflict(current: ContextRecord): OtherAnswer {
  const detail = "Somebody else saved this avatar meanwhile; look at their changes, then save again.";
  const answer: ContextConflict = {
    type: "client_error",
    errors: [{ code: "conflict", detail, attr: null }],
    current: contextView(current),
  };
  return new OtherAnswer(409, answer);
}

const listContexts = ({ store, sessions }: ContextDependencies): Operation =>
  listOperation({
    path: collectionPath,
    id: "listContexts",
    tag,
    summary: "List embed contexts, or find one by its embed key",
    auth,
    query: contextsQuerySchema,
    description: "The contexts in the order they were added",
    schema: embedContextListSchema,
    async read({ caller: { organizationId }, query: { context_id: contextId } }, page) {
      if (contextId === undefined) {
        const { items, next } = await store.contexts.page(organizationId, page);
        return { items: items.map(contextView), next };
      }
      const found = await store.contexts.byContextId(organizationId, contextId);
      // The relay asks by embed key when a page with the widget opens.
      if (found?.is_active) void sessions.prepareVoice(organizationId, found);
      return { items: found ? [contextView(found)] : [], next: null };
    },
  });

const createContext = (dependencies: ContextDependencies): Operation => {
  const { store, catalogue, clock } = dependencies;
  return operation({
    method: "POST",
    path: collectionPath,
    id: "createContext",
    tag,
    summary: "Create an embed context",
    auth,
    body: settingsBody(dependencies),
    answer: { ...oneContext, status: 201 },
    target: (_call, { id, name }) => ({ id, name }),
    async handler({ caller, body: { revision: _none, ...given } }) {
      const { organizationId } = caller;
      const settings = await checkedContextSettings(catalogue, organizationId, given);
      const created = newContext(organizationId, settings, clock.nowMs());
      await store.contexts.insert(created, callerName(caller));
      return contextWithWarnings(catalogue, created);
    },
  });
};

const retrieveContext = ({ store, catalogue }: ContextDependencies): Operation =>
  operation({
    method: "GET",
    path: contextPath,
    id: "retrieveContext",
    tag,
    summary: "Retrieve an embed context",
    auth,
    answer: oneContext,
    handler: async ({ params, caller }) =>
      contextWithWarnings(catalogue, await namedContext(store, caller.organizationId, params.context)),
  });

const replaceContext = (dependencies: ContextDependencies): Operation => {
  const { store, catalogue, clock } = dependencies;
  return operation({
    method: "PUT",
    path: contextPath,
    id: "replaceContext",
    tag,
    summary: "Replace every setting of an embed context; settings that are left out are reset",
    auth,
    body: settingsBody(dependencies),
    answer: oneContext,
    target: (_call, { id, name }) => ({ id, name }),
    otherAnswers: {
      409: { description: "Somebody else saved meanwhile", schema: contextConflictSchema },
    },
    async handler({ params, caller, body: { revision, ...given } }) {
      const { organizationId } = caller;
      const { id } = await namedContext(store, organizationId, params.context);
      const settings = await checkedContextSettings(catalogue, organizationId, given);
      const change = { by: callerName(caller), revision };
      const replaced = await store.contexts.replace(organizationId, id, settings, clock.nowMs(), change);
      // Otherwise it was deleted in the meantime, and this throws.
      return replaced
        ? contextWithWarnings(catalogue, replaced)
        : conflict(await namedContext(store, organizationId, id));
    },
  });
};

const deleteContext = ({ store, clock }: ContextDependencies): Operation =>
  operation({
    method: "DELETE",
    path: contextPath,
    id: "deleteContext",
    tag,
    summary: "Delete an embed context; for 30 s it can be restored",
    auth,
    answer: { status: 204, description: "The context was deleted" },
    async handler({ params, caller: { organizationId } }) {
      const id = params.context.toLowerCase();
      if (!(await store.contexts.setDeleted(organizationId, id, clock.nowMs()))) throw Fault.notFound();
    },
  });

const retrieveSnippet = ({ store, publicUrl, publicFolder }: ContextDependencies): Operation =>
  operation({
    method: "GET",
    path: "/api/console/b2c/contexts/:context/embed/",
    id: "retrieveEmbedSnippet",
    tag,
    summary: "Get the markup that embeds a context",
    auth,
    answer: { status: 200, description: "The snippet", schema: embedSnippetSchema },
    async handler({ params, caller }) {
      const record = await namedContext(store, caller.organizationId, params.context);
      return embedSnippet(record, { publicUrl, publicFolder });
    },
  });

/** Embed contexts for their owners (interface specification, Embed contexts). */
export function contextRoutes(dependencies: ContextDependencies): Operation[] {
  return [
    listContexts(dependencies),
    createContext(dependencies),
    retrieveContext(dependencies),
    replaceContext(dependencies),
    deleteContext(dependencies),
    retrieveSnippet(dependencies),
  ];
}
