import type { Kysely, Selectable } from "kysely";
import { compiledOnce, type Queries } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

/** A stored API key: its hash, never the key itself. Times are in ms since the Unix epoch. */
export interface ApiKeyRecord {
  id: string;
  organizationId: string;
  name: string;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
}

/** API keys. */
export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  byHash(hash: string): Promise<ApiKeyRecord | null>;
  /** In order of creation. */
  list(organizationId: string): Promise<ApiKeyRecord[]>;
  /** Resolves with whether there is a key with that id. A key that was revoked before keeps its first time. */
  revoke(id: string, nowMs: number): Promise<boolean>;
}

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
