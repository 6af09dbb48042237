import { randomBytes, randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { previewPrefix } from "../../protocol/console/previews.ts";
import type { EmbedContextPut } from "../../protocol/embed-context.ts";
import type { ContextPreviewStore, ContextRecord, ContextStore } from "./store.ts";
import { storedJson } from "./stored-json.ts";
import type { Tables } from "./tables.ts";

type PreviewRow = Selectable<Tables["context_preview"]>;

/** `preview_{token}_{revision}`: a relay that has cached the settings under the former id asks again. */
const embedKeyPattern = new RegExp(`^${previewPrefix}([0-9a-f]{32})_\\d{1,9}$`);

/** Only the relay's own pages may show it, and a paused avatar can be tried too. */
function toRecord(row: PreviewRow): ContextRecord {
  const settings = storedJson<EmbedContextPut>(row.settings);
  return {
    ...settings,
    is_active: true,
    embed_config: { ...settings.embed_config, allowed_origins: [] },
    id: row.id,
    organizationId: row.organization_id,
    contextId: `${previewPrefix}${row.token}_${row.revision}`,
    createdAtMs: row.saved_at_ms,
    updatedAtMs: row.saved_at_ms,
    revision: row.revision,
    previewOf: row.context_uuid,
  };
}

/** Previews in SQL. */
export function contextPreviewRows(database: Kysely<Tables>): ContextPreviewStore {
  return {
    async put(context, accountId, settings, nowMs) {
      const changed = { settings: JSON.stringify(settings), saved_at_ms: nowMs };
      const row = await database
        .insertInto("context_preview")
        .values({
          id: randomUUID(),
          context_uuid: context.id,
          account_id: accountId,
          organization_id: context.organizationId,
          token: randomBytes(16).toString("hex"),
          revision: 1,
          ...changed,
        })
        .onConflict((conflict) =>
          conflict.columns(["context_uuid", "account_id"]).doUpdateSet((column) => ({
            ...changed,
            revision: column("context_preview.revision", "+", 1),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toRecord(row);
    },
    async removeOld(beforeMs) {
      await database.deleteFrom("context_preview").where("saved_at_ms", "<", beforeMs).execute();
    },
  };
}

/** Contexts, among which previews are found by their id and embed key. Lists do not have them. */
export function withPreviews(contexts: ContextStore, database: Kysely<Tables>): ContextStore {
  const find = async (organizationId: string, column: "id" | "token", value: string) => {
    const row = await database
      .selectFrom("context_preview")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where(column, "=", value)
      .executeTakeFirst();
    return row ? toRecord(row) : null;
  };
  return {
    ...contexts,
    byUuid: async (organizationId, id) =>
      (await contexts.byUuid(organizationId, id)) ?? (await find(organizationId, "id", id)),
    async byContextId(organizationId, contextId) {
      const token = embedKeyPattern.exec(contextId)?.[1];
      if (token !== undefined) return find(organizationId, "token", token);
      return contexts.byContextId(organizationId, contextId);
    },
  };
}
