import {
  activeSchema,
  contextTemplateListSchema,
  contextVersionListSchema,
} from "../../../../protocol/console/avatars.ts";
import { type Avatar, avatarListSchema } from "../../../../protocol/console/avatar-list.ts";
import { originCheckSchema, originVerdictSchema } from "../../../../protocol/console/origin-check.ts";
import { embedContextSchema } from "../../../../protocol/settings/embed-context.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import {
  type ContextEdit,
  duplicateContext,
  listVersions,
  restoreVersion,
  setContextActive,
} from "../../../administration/contexts/avatars.ts";
import { contextTemplates } from "../../../administration/contexts/context-templates.ts";
import { isOwnAvatar } from "../../../administration/overview/overview.ts";
import { contextWithWarnings, restoreContext } from "../../../administration/contexts/contexts.ts";
import { originVerdict } from "../../../administration/contexts/origin-check.ts";
import type { ReadableCatalogue } from "../../../engines/available-catalogue.ts";
import type { Clock } from "../../../clock.ts";
import { contextView } from "../../../contexts/context-settings.ts";
import type { ContextRecord, Store } from "../../../store/store.ts";
import { type Caller, callerName } from "../../identity.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import { isoTime } from "./console-access.ts";

/** What the operations on avatars need. */
export interface AvatarAccess {
  store: Store;
  catalogue: ReadableCatalogue;
  clock: Clock;
  publicUrl: string;
}

const tag = "Avatars";
const auth = "console";
const path = "/api/console/contexts/";
const oneContext = { status: 200, description: "The context", schema: embedContextSchema } as const;
const named = (_call: unknown, { id, name }: { id: string; name: string }) => ({ id, name });
const weekMs = 7 * 24 * 60 * 60 * 1000;

function stateOf({ id, is_active: isActive }: ContextRecord, arrived: ReadonlySet<string>): Avatar["state"] {
  if (!isActive) return "paused";
  return arrived.has(id) ? "live" : "draft";
}

const listAvatars = ({ store, clock }: AvatarAccess): Operation =>
  operation({
    method: "GET",
    path,
    id: "listAvatars",
    tag,
    summary: "List the avatars with their state and the conversations of the last seven days",
    auth,
    answer: { status: 200, description: "In the order they were added", schema: avatarListSchema },
    async handler({ caller: { organizationId } }) {
      const contexts = await store.contexts.list(organizationId);
      const arrived = new Set(await store.contextPages.arrived(organizationId));
      const counts = await store.sessions.countByContext(organizationId, clock.nowMs() - weekMs);
      const own = await Promise.all(contexts.map((context) => isOwnAvatar(store, context)));
      return contexts.map((context, index) => ({
        id: context.id,
        context_id: context.contextId,
        name: context.name,
        avatar_name: context.config.ui?.avatar_name ?? context.name,
        model_style: context.model_style,
        state: stateOf(context, arrived),
        origins: context.config.allowed_origins ?? [],
        conversations_7d: counts.get(context.id) ?? 0,
        is_demo: own[index] === false,
        revision: context.revision,
        updated_at: isoTime(context.updatedAtMs),
      }));
    },
  });

const listTemplates = (): Operation =>
  operation({
    method: "GET",
    path: "/api/console/templates/",
    id: "listContextTemplates",
    tag,
    summary: "List templates for new avatars",
    auth,
    answer: { status: 200, description: "The templates", schema: contextTemplateListSchema },
    handler: () => [...contextTemplates],
  });

const checkOrigin = ({ publicUrl }: AvatarAccess): Operation =>
  operation({
    method: "POST",
    path: "/api/console/origin-check/",
    id: "checkOrigin",
    tag,
    summary: "Check whether pages of an address may show an avatar, and why not",
    auth,
    role: "viewer",
    changesNothing: true,
    body: { schema: originCheckSchema },
    answer: { status: 200, description: "The verdict", schema: originVerdictSchema },
    handler: ({ body }) => originVerdict(body.page, body.allowed_origins, new URL(publicUrl).origin),
  });

function changeRoutes({ store, clock }: AvatarAccess): Operation[] {
  const edit = (caller: Caller, id: string): ContextEdit => ({
    organizationId: caller.organizationId,
    id,
    by: callerName(caller),
    nowMs: clock.nowMs(),
  });
  return [
    operation({
      method: "POST",
      path: `${path}:context/duplicate/`,
      id: "duplicateContext",
      tag,
      summary: "Copy an avatar; the copy is switched off and has an embed key of its own",
      auth,
      answer: { ...oneContext, status: 201 },
      target: named,
      handler: async ({ params, caller }) =>
        contextView(await duplicateContext(store, edit(caller, params.context))),
    }),
    operation({
      method: "PUT",
      path: `${path}:context/active/`,
      id: "setContextActive",
      tag,
      summary: "Switch an avatar on or off",
      auth,
      body: { schema: activeSchema, form: { booleans: ["is_active"] } },
      answer: oneContext,
      target: named,
      handler: async ({ params, caller, body }) =>
        contextView(await setContextActive(store, edit(caller, params.context), body.is_active)),
    }),
    operation({
      method: "POST",
      path: `${path}:context/restore/`,
      id: "restoreContext",
      tag,
      summary: "Undo a deletion, for 30 s after it",
      auth,
      answer: oneContext,
      target: named,
      handler: async ({ params, caller }) =>
        contextView(await restoreContext(store, caller.organizationId, params.context)),
    }),
  ];
}

function versionRoutes({ store, catalogue, clock }: AvatarAccess): Operation[] {
  return [
    operation({
      method: "GET",
      path: `${path}:context/versions/`,
      id: "listContextVersions",
      tag,
      summary: "List the last 20 saved versions of an avatar",
      auth,
      answer: { status: 200, description: "The latest first", schema: contextVersionListSchema },
      async handler({ params, caller }) {
        const versions = await listVersions(store, caller.organizationId, params.context);
        return versions.map(({ revision, settings, savedAtMs, savedBy }) => ({
          revision,
          saved_at: isoTime(savedAtMs),
          saved_by: savedBy,
          settings,
        }));
      },
    }),
    operation({
      method: "POST",
      path: `${path}:context/versions/:revision/restore/`,
      id: "restoreContextVersion",
      tag,
      summary: "Save a former version again",
      auth,
      answer: oneContext,
      otherAnswers: {
        400: { description: "It names something that no longer exists", schema: errorBodySchema },
      },
      target: named,
      async handler({ params, caller }) {
        const edit = {
          organizationId: caller.organizationId,
          id: params.context,
          by: callerName(caller),
          nowMs: clock.nowMs(),
        };
        const restored = await restoreVersion(
          { contexts: store.contexts, catalogue },
          edit,
          Number(params.revision),
        );
        return contextWithWarnings(catalogue, restored);
      },
    }),
  ];
}

/** Avatars in the console: what goes beyond reading and replacing their settings. */
export function avatarRoutes(access: AvatarAccess): Operation[] {
  return [
    listAvatars(access),
    listTemplates(),
    checkOrigin(access),
    ...changeRoutes(access),
    ...versionRoutes(access),
  ];
}
