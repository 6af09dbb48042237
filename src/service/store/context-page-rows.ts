import { sql, type Kysely } from "kysely";
import type { ContextPageStore } from "./store.ts";
import type { Tables } from "./tables.ts";

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
