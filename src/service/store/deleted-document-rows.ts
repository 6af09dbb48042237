import type { Kysely, Selectable } from "kysely";
import * as z from "zod";
import { knowledgeDocumentSchema } from "../../protocol/catalogue.ts";
import type { DeletedDocument, DeletedDocumentStore } from "./store.ts";
import type { Tables } from "./tables.ts";

const entrySchema = z.object({
  body: knowledgeDocumentSchema,
  engine: z.record(z.string(), z.unknown()).nullable(),
  contexts: z.array(z.string()),
});

function toDeleted(row: Selectable<Tables["deleted_document"]>): DeletedDocument {
  const entry = entrySchema.parse(JSON.parse(row.entry));
  return { ...entry, id: row.id, organizationId: row.organization_id, deletedAtMs: row.deleted_at_ms };
}

/** Documents that were deleted a short time ago, in SQL. */
export function deletedDocumentRows(database: Kysely<Tables>): DeletedDocumentStore {
  return {
    async put({ id, organizationId, deletedAtMs, body, engine, contexts }) {
      const entry = JSON.stringify({ body, engine, contexts });
      await database
        .insertInto("deleted_document")
        .values({ id, organization_id: organizationId, entry, deleted_at_ms: deletedAtMs })
        .execute();
    },
    async take(organizationId, id) {
      const rows = await database
        .deleteFrom("deleted_document")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .returningAll()
        .execute();
      return rows[0] ? toDeleted(rows[0]) : null;
    },
    async takeOlder(beforeMs) {
      const rows = await database
        .deleteFrom("deleted_document")
        .where("deleted_at_ms", "<=", beforeMs)
        .returningAll()
        .execute();
      return rows.map(toDeleted);
    },
  };
}
