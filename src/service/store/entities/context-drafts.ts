import { type Kysely, type Selectable, sql } from "kysely";
import type {
  ContextDraftStore,
  ContextPageStore,
  ContextPreviewStore,
  ContextRecord,
  ContextStore,
} from "./context-store.ts";
import { storedJson } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { previewPrefix } from "../../../protocol/console/previews.ts";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import { readConfig } from "../../../protocol/settings/read-config.ts";
import { isPlainObject } from "../../plain-object.ts";

/** Drafts of contexts in SQL. */
export function contextDraftRows(database: Kysely<Tables>): ContextDraftStore {
  return {
    async find(contextUuid, accountId) {
      const row = await database
        .selectFrom("context_draft")
        .selectAll()
        .where("context_uuid", "=", contextUuid)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      if (!row) return null;
      const settings = storedJson<Record<string, unknown>>(row.settings);
      return { revision: row.revision, settings, savedAtMs: row.saved_at_ms };
    },
    async put(contextUuid, accountId, { revision, settings, savedAtMs }) {
      const changed = { revision, settings: JSON.stringify(settings), saved_at_ms: savedAtMs };
      await database
        .insertInto("context_draft")
        .values({ context_uuid: contextUuid, account_id: accountId, ...changed })
        .onConflict((conflict) => conflict.columns(["context_uuid", "account_id"]).doUpdateSet(changed))
        .execute();
    },
    async remove(contextUuid, accountId) {
      await database
        .deleteFrom("context_draft")
        .where("context_uuid", "=", contextUuid)
        .where("account_id", "=", accountId)
        .execute();
    },
  };
}

type PreviewRow = Selectable<Tables["context_preview"]>;

/** `preview_{token}_{revision}`: a relay that has cached the settings under the former id asks again. */
const embedKeyPattern = new RegExp(`^${previewPrefix}([0-9a-f]{32})_\\d{1,9}$`);

/** Only the relay's own pages may show it, and a paused avatar can be tried too. */
function toRecord(row: PreviewRow): ContextRecord {
  const settings = storedJson<ContextSettings>(row.settings);
  const { embed_config: given } = settings;
  const embed_config = { ...(isPlainObject(given) && given), allowed_origins: [] };
  return {
    ...settings,
    is_active: true,
    embed_config,
    config: readConfig(embed_config),
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

/** How many sites are kept that were never allowed. */
const keptRefused = 20;

/** How many sites are kept in all: more than a context may list. */
const keptPages = 400;

/** The sites of a context, the latest first. */
function latest(database: Kysely<Tables>, contextUuid: string) {
  return database
    .selectFrom("context_page")
    .where("context_uuid", "=", contextUuid)
    .orderBy("last_seen_at_ms", "desc")
    .orderBy("origin");
}

/** Removes the sites that were seen longest ago. */
async function removeOldest(database: Kysely<Tables>, contextUuid: string): Promise<void> {
  const all = await latest(database, contextUuid).select(["origin", "first_allowed_at_ms"]).execute();
  const refused = all.filter((page) => page.first_allowed_at_ms === null).slice(keptRefused);
  const surplus = [...new Set([...refused, ...all.slice(keptPages)].map(({ origin }) => origin))];
  if (surplus.length === 0) return;
  await database
    .deleteFrom("context_page")
    .where("context_uuid", "=", contextUuid)
    .where("origin", "in", surplus)
    .execute();
}

/** The sites that load contexts, in SQL. */
export function contextPageRows(database: Kysely<Tables>): ContextPageStore {
  return {
    async note(contextUuid, { origin, allowed }, nowMs) {
      const firstAllowed = allowed ? nowMs : null;
      await database
        .insertInto("context_page")
        .values({
          context_uuid: contextUuid,
          origin,
          was_allowed: allowed ? 1 : 0,
          first_allowed_at_ms: firstAllowed,
          first_seen_at_ms: nowMs,
          last_seen_at_ms: nowMs,
        })
        .onConflict((conflict) =>
          conflict.columns(["context_uuid", "origin"]).doUpdateSet({
            was_allowed: allowed ? 1 : 0,
            first_allowed_at_ms: sql<
              number | null
            >`coalesce(context_page.first_allowed_at_ms, excluded.first_allowed_at_ms)`,
            last_seen_at_ms: nowMs,
          }),
        )
        .execute();
      await removeOldest(database, contextUuid);
    },
    async list(contextUuid) {
      const rows = await latest(database, contextUuid).selectAll().execute();
      return rows.map((row) => ({
        origin: row.origin,
        wasAllowed: row.was_allowed === 1,
        firstAllowedAtMs: row.first_allowed_at_ms,
        firstSeenAtMs: row.first_seen_at_ms,
        lastSeenAtMs: row.last_seen_at_ms,
      }));
    },
    async arrived(organizationId) {
      const rows = await database
        .selectFrom("context_page")
        .innerJoin("embed_context", "embed_context.id", "context_page.context_uuid")
        .select("context_page.context_uuid as id")
        .distinct()
        .where("embed_context.organization_id", "=", organizationId)
        .where("context_page.first_allowed_at_ms", "is not", null)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
