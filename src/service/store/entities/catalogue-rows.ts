import { type Kysely, type Selectable, sql } from "kysely";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-store.ts";
import { ask, compiledOnce, type Queries, storedJson } from "../database/queries.ts";
import { inPage, pageOf } from "../database/paging.ts";
import type { CatalogueSeal } from "../secrets/sealed-catalogue.ts";
import type { CatalogueEntry, CatalogueStore, EngineSettings, KeptRow, PageRequest } from "../store.ts";
import type { Tables } from "../database/tables.ts";

/** The unique key of entries. */
const ownership = sql`kind, id, (coalesce(organization_id, ''))`;

const columns = ["sequence", "id", "name", "organization_id", "body", "engine", "revision"] as const;

/** 1 for entries of the operator: shared ones, and those of the organization that was created first. */
const isOperators = sql<number>`case when organization_id is null or organization_id =
  (select id from organization order by created_at_ms, id limit 1) then 1 else 0 end`.as("is_operators");

function visible(database: Kysely<Tables>, kind: CatalogueKind, organizationId: string | null) {
  return database
    .selectFrom("catalogue_entry")
    .select([...columns, isOperators])
    .where("kind", "=", kind)
    .where((where) =>
      where.or([where("organization_id", "=", organizationId), where("organization_id", "is", null)]),
    );
}

type KeptEntry = Omit<Selectable<Tables["catalogue_entry"]>, "kind" | "created_at_ms"> & {
  is_operators: number;
};

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

/**
 * The rows of a page in their order. A shared row is left out if the organization has its own entry with that id. Own and
 * shared rows are separate queries, so that both use an index and do not read rows of other organizations.
 */
function visiblePage(
  database: Kysely<Tables>,
  kind: CatalogueKind,
  organizationId: string | null,
  request: PageRequest,
) {
  const ofKind = () =>
    database
      .selectFrom("catalogue_entry as entry")
      .select([...columns, isOperators])
      .where("kind", "=", kind);
  const shared = ofKind().where("organization_id", "is", null);
  if (organizationId === null) return inPage(shared, request);
  const own = ofKind().where("organization_id", "=", organizationId);
  const unhidden = shared.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom("catalogue_entry as own")
          .select("own.id")
          .where("own.kind", "=", kind)
          .where("own.organization_id", "=", organizationId)
          .whereRef("own.id", "=", "entry.id"),
      ),
    ),
  );
  const whole = (rows: typeof own, name: "own" | "shared") =>
    database.selectFrom(inPage(rows, request).as(name)).selectAll();
  return inPage(
    database.selectFrom(whole(own, "own").unionAll(whole(unhidden, "shared")).as("visible")).selectAll(),
    request,
  );
}

function toRow<Kind extends CatalogueKind>(kind: Kind, row: KeptEntry, seal: CatalogueSeal): KeptRow<Kind> {
  const key = { kind, id: row.id, organizationId: row.organization_id };
  return {
    id: row.id,
    name: row.name,
    body: storedJson<CatalogueKinds[Kind]>(seal.body.read(row.body, key)),
    engine: row.engine === null ? null : storedJson<EngineSettings>(seal.engine.read(row.engine, key)),
    isOperators: row.is_operators === 1,
    isShared: row.organization_id === null,
    revision: row.revision,
  };
}

/** Finds a visible entry by its id or name. */
function entryFinder(database: Kysely<Tables>, queries: Queries) {
  const named = compiledOnce<NamedEntry, KeptEntry>(
    (parameter) => {
      const identifier = parameter("identifier");
      return (
        visible(database, parameter("kind"), parameter("organizationId"))
          .where((where) => where.or([where("id", "=", identifier), where("name", "=", identifier)]))
          // An id identifies exactly one entry, so it takes precedence over an equal name.
          .orderBy(sql`case when id = ${identifier} then 0 else 1 end`)
          .orderBy(sql`case when organization_id is null then 1 else 0 end`)
          .orderBy("sequence")
          .limit(1)
      );
    },
    { isSingle: true },
  );
  return async (kind: CatalogueKind, organizationId: string | null, identifier: string) => {
    const [entry] = (await queries.run(named({ kind, organizationId, identifier }))).rows;
    return entry ?? null;
  };
}

type EntryFinder = ReturnType<typeof entryFinder>;

/** The methods that read. */
function catalogueReads(
  database: Kysely<Tables>,
  entryOf: EntryFinder,
  seal: CatalogueSeal,
): Pick<CatalogueStore, "find" | "row" | "list" | "rows" | "page"> {
  async function page<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    request: PageRequest,
  ) {
    const entries = await visiblePage(database, kind, organizationId, request).execute();
    return pageOf(entries, request, (row) => toRow(kind, row, seal));
  }

  const rows = async <Kind extends CatalogueKind>(kind: Kind, organizationId: string | null) =>
    (await page(kind, organizationId, {})).items;

  async function row<Kind extends CatalogueKind>(
    kind: Kind,
    organizationId: string | null,
    identifier: string,
  ) {
    const entry = await entryOf(kind, organizationId, identifier);
    return entry && toRow(kind, entry, seal);
  }

  return {
    row,
    rows,
    page,
    find: async (kind, organizationId, identifier) =>
      (await row(kind, organizationId, identifier))?.body ?? null,
    list: async (kind, organizationId) => (await rows(kind, organizationId)).map(({ body }) => body),
  };
}

/** Adds those built-in entries that were never added before. */
async function addBuiltIn(
  database: Kysely<Tables>,
  queries: Queries,
  seal: CatalogueSeal,
  entries: readonly CatalogueEntry<CatalogueKind>[],
): Promise<void> {
  const added = await database.selectFrom("built_in_entry").selectAll().execute();
  const missing = entries.filter(
    (entry) => !added.some(({ kind, id }) => kind === entry.kind && id === entry.id),
  );
  if (missing.length === 0) return;
  const insertEntries = database
    .insertInto("catalogue_entry")
    .values(missing.map((entry) => toColumns(entry, seal)))
    .onConflict((conflict) => conflict.expression(ownership).doNothing());
  const insertMarks = database
    .insertInto("built_in_entry")
    .values(missing.map(({ kind, id }) => ({ kind, id })))
    .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing());
  await queries.unit(function* () {
    yield* ask(insertEntries.compile());
    yield* ask(insertMarks.compile());
  });
}

/** Adds or replaces an entry; with a revision, only the entry of that one. Resolves with whether it is stored. */
async function putEntry(
  database: Kysely<Tables>,
  columns: ReturnType<typeof toColumns>,
  revision: number | undefined,
): Promise<boolean> {
  const { kind, id, organization_id: owner, name, body, engine } = columns;
  const added = database.insertInto("catalogue_entry").values(columns);
  const next = sql<number>`catalogue_entry.revision + 1`;
  const changed = { name, body, engine, revision: next };
  if (revision === undefined) {
    await added.onConflict((conflict) => conflict.expression(ownership).doUpdateSet(changed)).execute();
    return true;
  }
  if (revision === 0) {
    const unless = added.onConflict((conflict) => conflict.expression(ownership).doNothing());
    return (await unless.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await database
    .updateTable("catalogue_entry")
    .set(changed)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .where("organization_id", owner === null ? "is" : "=", owner)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The methods that write entries one at a time. */
function catalogueWrites(
  database: Kysely<Tables>,
  entryOf: EntryFinder,
  seal: CatalogueSeal,
): Pick<CatalogueStore, "put" | "revise" | "remove"> {
  return {
    put: (entry, revision) => putEntry(database, toColumns(entry, seal), revision),
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
        const body = storedJson<CatalogueKinds[Kind]>(seal.body.read(known.body, key));
        const { numUpdatedRows } = await database
          .updateTable("catalogue_entry")
          .set({
            body: seal.body.write(JSON.stringify(change(body)), key),
            revision: sql<number>`catalogue_entry.revision + 1`,
          })
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

/** Catalogues in SQL: one row per entry, with body and engine settings as JSON texts that are encrypted if they are secret. */
export function catalogueRows(
  database: Kysely<Tables>,
  queries: Queries,
  seal: CatalogueSeal,
): CatalogueStore {
  const entryOf = entryFinder(database, queries);
  return {
    ...catalogueReads(database, entryOf, seal),
    ...catalogueWrites(database, entryOf, seal),
    addBuiltIn: (entries) => addBuiltIn(database, queries, seal, entries),
  };
}
