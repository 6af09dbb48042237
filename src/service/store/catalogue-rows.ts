import { sql } from "kysely";
import type { Kysely, Selectable } from "kysely";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-kinds.ts";
import { compiledOnce } from "./compiled-once.ts";
import { ask } from "./queries.ts";
import type { Queries } from "./queries.ts";
import type { CatalogueSeal } from "./sealed-catalogue.ts";
import type { CatalogueEntry, EngineSettings, KeptRow, Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** What makes an entry one: its owner has no other of its kind and id. */
const ownership = sql`kind, id, (coalesce(organization_id, ''))`;

function visible(database: Kysely<Tables>, kind: CatalogueKind, organizationId: string | null) {
  return database
    .selectFrom("catalogue_entry")
    .select(["sequence", "id", "name", "organization_id", "body", "engine"])
    .where("kind", "=", kind)
    .where((where) =>
      where.or([where("organization_id", "=", organizationId), where("organization_id", "is", null)]),
    );
}

type KeptEntry = Omit<Selectable<Tables["catalogue_entry"]>, "kind" | "created_at_ms">;

interface NamedEntry {
  kind: CatalogueKind;
  organizationId: string | null;
  identifier: string;
}

function toColumns(entry: CatalogueEntry<CatalogueKind>, seal: CatalogueSeal) {
  const { kind, id, name, organizationId, createdAtMs, body, engine = null } = entry;
  return {
    kind,
    id,
    name,
    organization_id: organizationId,
    created_at_ms: createdAtMs,
    body: seal.body.write(JSON.stringify(body), entry),
    engine: engine && seal.engine.write(JSON.stringify(engine), entry),
  };
}

/** Without everybody's entries that the organization has entries of its own for. */
function unhidden(entries: readonly KeptEntry[]): KeptEntry[] {
  const own = new Set(entries.filter((entry) => entry.organization_id !== null).map(({ id }) => id));
  return entries.filter((entry) => entry.organization_id !== null || !own.has(entry.id));
}

function toRow<Kind extends CatalogueKind>(kind: Kind, row: KeptEntry, seal: CatalogueSeal): KeptRow<Kind> {
  const key = { kind, id: row.id, organizationId: row.organization_id };
  return {
    id: row.id,
    name: row.name,
    body: JSON.parse(seal.body.read(row.body, key)) as CatalogueKinds[Kind],
    engine: row.engine === null ? null : (JSON.parse(seal.engine.read(row.engine, key)) as EngineSettings),
    isShared: row.organization_id === null,
  };
}

/** Catalogues in SQL: one row an entry, its body and its engine's settings as JSON text, encrypted where they are secret. */
export function catalogueRows(
  database: Kysely<Tables>,
  queries: Queries,
  seal: CatalogueSeal,
): Store["catalogue"] {
  async function rows<Kind extends CatalogueKind>(kind: Kind, organizationId: string | null) {
    const entries = await visible(database, kind, organizationId).orderBy("sequence").execute();
    return unhidden(entries).map((row) => toRow(kind, row, seal));
  }

  const named = compiledOnce<NamedEntry, KeptEntry>(
    (parameter) => {
      const identifier = parameter("identifier");
      return (
        visible(database, parameter("kind"), parameter("organizationId"))
          .where((where) => where.or([where("id", "=", identifier), where("name", "=", identifier)]))
          // An id means exactly one entry, so it goes before a name that happens to be the same.
          .orderBy(sql`case when id = ${identifier} then 0 else 1 end`)
          .orderBy(sql`case when organization_id is null then 1 else 0 end`)
          .orderBy("sequence")
          .limit(1)
      );
    },
    { isSingle: true },
  );

  async function entryOf(kind: CatalogueKind, organizationId: string | null, identifier: string) {
    const [entry] = (await queries.run(named({ kind, organizationId, identifier }))).rows;
    return entry ?? null;
  }

  async function row<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    identifier: string,
  ) {
    const entry = await entryOf(kind, organizationId, identifier);
    return entry && toRow(kind, entry, seal);
  }

  return {
    async put(entry) {
      const columns = toColumns(entry, seal);
      const { name, body, engine } = columns;
      await database
        .insertInto("catalogue_entry")
        .values(columns)
        .onConflict((conflict) => conflict.expression(ownership).doUpdateSet({ name, body, engine }))
        .execute();
    },
    async addBuiltIn(entries) {
      const added = await database.selectFrom("built_in_entry").selectAll().execute();
      const missing = entries.filter(
        (entry) => !added.some(({ kind, id }) => kind === entry.kind && id === entry.id),
      );
      if (missing.length === 0) return;
      const insertEntries = database
        .insertInto("catalogue_entry")
        .values(missing.map((entry) => toColumns(entry, seal)))
        .onConflict((conflict) => conflict.expression(ownership).doNothing());
      const noteThem = database
        .insertInto("built_in_entry")
        .values(missing.map(({ kind, id }) => ({ kind, id })))
        .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing());
      await queries.unit(function* () {
        yield* ask(insertEntries.compile());
        yield* ask(noteThem.compile());
      });
    },
    row,
    rows,
    find: async (kind, organizationId, identifier) =>
      (await row(kind, organizationId, identifier))?.body ?? null,
    list: async (kind, organizationId) => (await rows(kind, organizationId)).map(({ body }) => body),
    async revise<Kind extends CatalogueKind>(
      kind: Kind,
      organizationId: string | null,
      id: string,
      change: (body: CatalogueKinds[Kind]) => CatalogueKinds[Kind],
    ) {
      for (;;) {
        const known = await entryOf(kind, organizationId, id);
        if (known?.id !== id) return false;
        const key = { kind, id, organizationId: known.organization_id };
        const body = JSON.parse(seal.body.read(known.body, key)) as CatalogueKinds[Kind];
        const { numUpdatedRows } = await database
          .updateTable("catalogue_entry")
          .set({ body: seal.body.write(JSON.stringify(change(body)), key) })
          .where("sequence", "=", known.sequence)
          .where("body", "=", known.body)
          .executeTakeFirst();
        if (numUpdatedRows === 1n) return true;
      }
    },
    async remove(kind, organizationId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("catalogue_entry")
        .where("kind", "=", kind)
        .where("id", "=", id)
        .where("organization_id", organizationId === null ? "is" : "=", organizationId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
