import { pageQuerySchema } from "../../../protocol/schema/paging.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import type { Caller } from "../identity.ts";
import { listOperation } from "../operations/list-operation.ts";
import type { Operation } from "../operations/operation.ts";
import type { OperationSchema } from "../operations/validation.ts";

interface CatalogueListDefinition<Entry, Item> {
  path: string;
  id: string;
  tag?: string;
  summary: string;
  /** Of the whole answer. */
  schema: OperationSchema<Item[]>;
  /** What a caller gets of an entry. */
  view: (entry: Entry, caller: Caller) => Item | Promise<Item>;
}

/** The view of catalogues whose entries are answered as they are stored. */
export const wholeEntry = <Entry>(entry: Entry): Entry => entry;

/** Defines an operation that lists the entries of a catalogue that an organization can name. */
export function catalogueList<Kind extends CatalogueKind, Item>(
  catalogue: Pick<ReadableCatalogue, "page">,
  kind: Kind,
  definition: CatalogueListDefinition<CatalogueKinds[Kind], Item>,
): Operation {
  const { path, id, tag = "Catalogues", summary, schema, view } = definition;
  return listOperation({
    path,
    id,
    tag,
    summary,
    auth: "console",
    query: pageQuerySchema,
    description: "The entries in the order they were added",
    schema,
    async read({ caller }, request) {
      const { items, next } = await catalogue.page(kind, caller.organizationId, request);
      return { items: await Promise.all(items.map(({ body }) => view(body, caller))), next };
    },
  });
}
