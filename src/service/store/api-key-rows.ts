import type { Kysely, Selectable } from "kysely";
import { compiledOnce } from "./compiled-once.ts";
import type { Queries } from "./queries.ts";
import type { ApiKeyRecord, ApiKeyStore } from "./store.ts";
import type { Tables } from "./tables.ts";

function toRecord(row: Selectable<Tables["api_key"]>): ApiKeyRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    hash: row.hash,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
  };
}

/** API keys in SQL, by their hashes. */
export function apiKeyRows(database: Kysely<Tables>, queries: Queries): ApiKeyStore {
  const selectByHash = compiledOnce<{ hash: string }, Selectable<Tables["api_key"]>>(
    (parameter) => database.selectFrom("api_key").selectAll().where("hash", "=", parameter("hash")),
    { isSingle: true },
  );
  return {
    async insert(key) {
      await database
        .insertInto("api_key")
        .values({
          id: key.id,
          organization_id: key.organizationId,
          name: key.name,
          hash: key.hash,
          created_at_ms: key.createdAtMs,
          expires_at_ms: key.expiresAtMs,
          revoked_at_ms: key.revokedAtMs,
        })
        .execute();
    },
    async byHash(hash) {
      const [row] = (await queries.run(selectByHash({ hash }))).rows;
      return row ? toRecord(row) : null;
    },
    async list(organizationId) {
      const rows = await database
        .selectFrom("api_key")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("created_at_ms")
        .execute();
      return rows.map(toRecord);
    },
    async revoke(id, nowMs) {
      const { numUpdatedRows } = await database
        .updateTable("api_key")
        .set((column) => ({ revoked_at_ms: column.fn.coalesce("revoked_at_ms", column.val(nowMs)) }))
        .where("id", "=", id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}
