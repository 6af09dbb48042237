import type { CatalogueKind } from "../../store/entities/catalogue-store.ts";
import type { KeptRow, OrganizationRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";

/** Whose catalogue entries an operator works on. */
export interface CatalogueScope {
  store: Pick<Store, "catalogue" | "contexts">;
  organization: OrganizationRecord;
  /** Whether the store has only this organization. */
  isOnly: boolean;
  /** True: works on the shared entries of all organizations. False: on the organization's own entries and those it sees. */
  shared: boolean;
}

/** The scope of an organization's own entries. Throws AdministrationError `not_found`. */
export async function organizationScope(store: Store, organizationId: string): Promise<CatalogueScope> {
  const organizations = await store.organizations.list();
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!organization) throw new AdministrationError("not_found", "There is no such organization.");
  return { store, organization, isOnly: organizations.length === 1, shared: false };
}

/** The owner of the entries in the store; null means every organization. */
export function ownerOf({
  organization,
  shared,
}: Pick<CatalogueScope, "organization" | "shared">): string | null {
  return shared ? null : organization.id;
}

/**
 * Refuses to change shared entries for one organization while others use them too. If there are no others, it may change them.
 * Throws AdministrationError `shared_entry`.
 */
export function checkOthers(
  { isOnly, shared }: Pick<CatalogueScope, "isOnly" | "shared">,
  kind: CatalogueKind,
  { id, isShared }: Pick<KeptRow<CatalogueKind>, "id" | "isShared">,
): void {
  if (isShared && !shared && !isOnly)
    throw new AdministrationError("shared_entry", `The ${kind} "${id}" is shared by all organizations.`);
}

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
