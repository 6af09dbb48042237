import type { Kysely } from "kysely";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-kinds.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

function visible(database: Kysely<Tables>, kind: CatalogueKind, organizationId: string) {
  return database
    .selectFrom("catalogue_entry")
    .select(["id", "body"])
    .where("kind", "=", kind)
    .where((where) =>
      where.or([where("organization_id", "=", organizationId), where("organization_id", "is", null)]),
    );
}

/** Catalogues in SQL: one row an entry, its body as JSON text. */
export function catalogueRows(database: Kysely<Tables>): Store["catalogue"] {
  return {
    async put({ kind, id, name, organizationId, createdAtMs, body }) {
      const text = JSON.stringify(body);
      await database
        .insertInto("catalogue_entry")
        .values({ kind, id, name, organization_id: organizationId, created_at_ms: createdAtMs, body: text })
        .onConflict((conflict) => conflict.columns(["kind", "id"]).doUpdateSet({ name, body: text }))
        .execute();
    },
    async find<Kind extends CatalogueKind>(kind: Kind, organizationId: string, identifier: string) {
      const rows = await visible(database, kind, organizationId)
        .where((where) => where.or([where("id", "=", identifier), where("name", "=", identifier)]))
        .orderBy("sequence")
        .execute();
      // An id means exactly one entry, so it goes before a name that happens to be the same.
      const row = rows.find(({ id }) => id === identifier) ?? rows[0];
      return row ? (JSON.parse(row.body) as CatalogueKinds[Kind]) : null;
    },
    async list<Kind extends CatalogueKind>(kind: Kind, organizationId: string) {
      const rows = await visible(database, kind, organizationId).orderBy("sequence").execute();
      return rows.map((row) => JSON.parse(row.body) as CatalogueKinds[Kind]);
    },
  };
}
