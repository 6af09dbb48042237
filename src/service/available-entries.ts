import type { CatalogueKind } from "./store/catalogue-kinds.ts";
import type { CatalogueRow, Store } from "./store/store.ts";

/** Whether a row's engine is there, for the kinds that have engines. */
export type AvailabilityChecks = { [Kind in CatalogueKind]?: (row: CatalogueRow<Kind>) => boolean };

/** A store as clients meet it: entries whose engine is not available are not there, neither listed nor to be named. */
export function withAvailableEntries(store: Store, checks: AvailabilityChecks): Store {
  const { catalogue } = store;

  function isAvailable<Kind extends CatalogueKind>(kind: Kind, row: CatalogueRow<Kind>): boolean {
    const check: ((row: CatalogueRow<Kind>) => boolean) | undefined = checks[kind];
    return check === undefined || check(row);
  }

  async function rows<Kind extends CatalogueKind>(kind: Kind, organizationId: string) {
    return (await catalogue.rows(kind, organizationId)).filter((row) => isAvailable(kind, row));
  }

  async function row<Kind extends CatalogueKind>(kind: Kind, organizationId: string, identifier: string) {
    const found = await catalogue.row(kind, organizationId, identifier);
    return found && isAvailable(kind, found) ? found : null;
  }

  return {
    ...store,
    catalogue: {
      ...catalogue,
      rows,
      row,
      find: async (kind, organizationId, identifier) =>
        (await row(kind, organizationId, identifier))?.body ?? null,
      list: async (kind, organizationId) => (await rows(kind, organizationId)).map(({ body }) => body),
    },
  };
}
