import type { CatalogueKind } from "../store/catalogue-kinds.ts";
import type { KeptRow } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";
import { checkOthers, ownerOf, type CatalogueScope } from "./catalogue-scope.ts";

/** The entries of a kind, in the order they were added. */
export function listCatalogueEntries<Kind extends CatalogueKind>(
  scope: CatalogueScope,
  kind: Kind,
): Promise<KeptRow<Kind>[]> {
  return scope.store.catalogue.rows(kind, ownerOf(scope));
}

/** The entry with an id or name, with the private settings of its engine. Throws AdministrationError `not_found`. */
export async function namedCatalogueEntry<Kind extends CatalogueKind>(
  scope: CatalogueScope,
  kind: Kind,
  identifier: string,
): Promise<KeptRow<Kind>> {
  const row = await scope.store.catalogue.row(kind, ownerOf(scope), identifier);
  if (row === null) throw new AdministrationError("not_found", `There is no ${kind} "${identifier}".`);
  return row;
}

/** Removes an entry; resolves with its id. Throws AdministrationError `not_found` and `shared_entry`. */
export async function removeCatalogueEntry(
  scope: CatalogueScope,
  kind: CatalogueKind,
  identifier: string,
): Promise<string> {
  const row = await namedCatalogueEntry(scope, kind, identifier);
  checkOthers(scope, kind, row);
  await scope.store.catalogue.remove(kind, row.isShared ? null : scope.organization.id, row.id);
  return row.id;
}
