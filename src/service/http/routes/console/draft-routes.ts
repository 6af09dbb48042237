import { contextDraftPutSchema, contextDraftSchema } from "../../../../protocol/console/avatars.ts";
import { namedContext } from "../../../administration/contexts/contexts.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";
import type { AvatarAccess } from "./avatar-routes.ts";
import { isoTime } from "./console-access.ts";

const tag = "Avatars";
const auth = "operator";
const role = "editor";
const path = "/api/console/contexts/:context/draft/";
/** As large as the settings may be. */
const maxBytes = 2 * 1024 * 1024;

/** What somebody typed and has not saved yet. Each account has its own draft, which is the same in every browser. */
export function draftRoutes({ store, clock }: AvatarAccess): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "retrieveContextDraft",
      tag,
      summary: "Get your unsaved changes of an avatar",
      auth,
      role,
      answer: { status: 200, description: "The draft, or null", schema: contextDraftSchema.nullable() },
      async handler({ params, caller: { organizationId, session } }) {
        const { id } = await namedContext(store, organizationId, params.context);
        const draft = await store.contextDrafts.find(id, session.accountId);
        // Most editors find none: that is no error.
        if (draft === null) return null;
        const { revision, settings, savedAtMs } = draft;
        return { revision, settings, saved_at: isoTime(savedAtMs) };
      },
    }),
    operation({
      method: "PUT",
      path,
      id: "putContextDraft",
      tag,
      summary: "Keep your unsaved changes of an avatar; visitors do not see them",
      auth,
      role,
      changesNothing: true,
      body: {
        schema: contextDraftPutSchema,
        form: { numbers: ["revision"], structures: ["settings"] },
        maxBytes,
        textMaxBytes: maxBytes,
      },
      answer: { status: 200, description: "The draft", schema: contextDraftSchema },
      async handler({ params, caller: { organizationId, session }, body }) {
        const { id } = await namedContext(store, organizationId, params.context);
        const savedAtMs = clock.nowMs();
        await store.contextDrafts.put(id, session.accountId, { ...body, savedAtMs });
        return { ...body, saved_at: isoTime(savedAtMs) };
      },
    }),
    operation({
      method: "DELETE",
      path,
      id: "deleteContextDraft",
      tag,
      summary: "Discard your unsaved changes of an avatar",
      auth,
      role,
      changesNothing: true,
      answer: { status: 204, description: "The draft was discarded" },
      async handler({ params, caller: { organizationId, session } }) {
        const { id } = await namedContext(store, organizationId, params.context);
        await store.contextDrafts.remove(id, session.accountId);
      },
    }),
  ];
}
