import { type Kysely, sql } from "kysely";
import type { CatalogueKind } from "../entities/catalogue-store.ts";
import { ask, type Queries } from "../database/queries.ts";
import { isSealed, type SecretBox, SecretBoxError } from "./secret-box.ts";
import type { Tables } from "../database/tables.ts";
import { sealWebhooks } from "./sealed-webhooks.ts";

/** Kinds whose body contains secrets: headers of tool servers, arguments of hooks, tools of agents. */
const secretBodies: ReadonlySet<CatalogueKind> = new Set([
  "mcp_server",
  "text_normalization_config",
  "agent_config",
]);

/** Identifies an entry. Its columns cannot be decrypted as those of another one. */
export interface EntryKey {
  kind: CatalogueKind;
  id: string;
  organizationId: string | null;
}

/** Encrypts and decrypts the columns of catalogue entries. */
export interface CatalogueSeal {
  body: ColumnSeal;
  engine: ColumnSeal;
}

interface ColumnSeal {
  write(text: string, key: EntryKey): string;
  read(text: string, key: EntryKey): string;
}

const plain: ColumnSeal = {
  write: (text) => text,
  read(text) {
    if (isSealed(text)) throw SecretBoxError.wrongSecret();
    return text;
  },
};

/** Encrypts the engine settings of every entry, and the bodies of kinds that contain secrets. Without a box: nothing. */
export function catalogueSeal(box: SecretBox | undefined): CatalogueSeal {
  if (!box) return { body: plain, engine: plain };
  const column = (name: string, isSecret: (kind: CatalogueKind) => boolean): ColumnSeal => ({
    write: (text, { kind, id, organizationId }) =>
      isSecret(kind) ? box.seal(text, [name, kind, id, organizationId]) : text,
    read: (text, { kind, id, organizationId }) => box.open(text, [name, kind, id, organizationId]),
  });
  return { body: column("body", (kind) => secretBodies.has(kind)), engine: column("engine", () => true) };
}

async function sealEntries(database: Kysely<Tables>, box: SecretBox): Promise<number> {
  const seal = catalogueSeal(box);
  let sealed = 0;
  const entries = await database
    .selectFrom("catalogue_entry")
    .select(["sequence", "kind", "id", "organization_id", "body", "engine"])
    .execute();
  for (const entry of entries) {
    const key = { kind: entry.kind, id: entry.id, organizationId: entry.organization_id };
    const anew = (column: ColumnSeal, text: string): string =>
      box.isCurrent(text) ? text : column.write(column.read(text, key), key);
    const body = anew(seal.body, entry.body);
    const engine = entry.engine === null ? null : anew(seal.engine, entry.engine);
    if (body === entry.body && engine === entry.engine) continue;
    // An entry that has changed since it was read is encrypted already.
    await database
      .updateTable("catalogue_entry")
      .set({ body, engine })
      .where("sequence", "=", entry.sequence)
      .where("body", "=", entry.body)
      .where(sql<boolean>`coalesce(engine, '') = ${entry.engine ?? ""}`)
      .execute();
    sealed++;
  }
  return sealed;
}

/**
 * Encrypts the entries and the webhooks of a store with the secret of the box, at the first start with one and after the secret was changed.
 * Then `wipe` removes the overwritten data. Resolves with the number of encrypted entries. Throws a SecretBoxError if the
 * store was encrypted with a secret that the box does not have.
 */
export async function sealCatalogue(
  database: Kysely<Tables>,
  queries: Queries,
  box: SecretBox,
  wipe: () => Promise<void>,
): Promise<number> {
  const known = await database.selectFrom("store_secret").select("key_id").executeTakeFirst();
  if (known?.key_id === box.keyId) return 0;
  if (known && !box.olderKeyIds.includes(known.key_id)) throw SecretBoxError.wrongSecret();
  const sealed = (await sealEntries(database, box)) + (await sealWebhooks(database, box));
  if (sealed > 0) await wipe();
  // Last, so that an interrupted run is repeated at the next start.
  await queries.unit(function* () {
    yield* ask(database.deleteFrom("store_secret").compile());
    yield* ask(database.insertInto("store_secret").values({ key_id: box.keyId }).compile());
  });
  return sealed;
}
