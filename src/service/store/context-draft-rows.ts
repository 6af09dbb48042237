import type { Kysely } from "kysely";
import type { ContextDraftStore } from "./store.ts";
import { storedJson } from "./stored-json.ts";
import type { Tables } from "./tables.ts";

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
