import { type KnowledgeDocument, knowledgeDocumentSchema } from "../../../protocol/catalogue.ts";
import type { EngineSettings } from "./catalogue-store.ts";
import type { Kysely, Selectable } from "kysely";
import * as z from "zod";
import type { Tables } from "../database/tables.ts";

/** A document that was deleted and can be restored for a short time. */
export interface DeletedDocument {
  id: string;
  organizationId: string;
  body: KnowledgeDocument;
  engine: EngineSettings | null;
  /** UUIDs of the contexts that named it. */
  contexts: string[];
  deletedAtMs: number;
}

/** Documents that were deleted a short time ago. */
export interface DeletedDocumentStore {
  put(document: DeletedDocument): Promise<void>;
  /** Takes a document out; null if it is not there. */
  take(organizationId: string, id: string): Promise<DeletedDocument | null>;
  /** Takes out those that were deleted before a time. */
  takeOlder(beforeMs: number): Promise<DeletedDocument[]>;
}

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
