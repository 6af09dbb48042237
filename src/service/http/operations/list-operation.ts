import type { AccountRole } from "../../../protocol/console/accounts.ts";
import type { PageQuery } from "../../../protocol/paging.ts";
import type { Page, PageRequest } from "../../store/store.ts";
import { operation } from "./operation.ts";
import type { Auth, Call, Operation } from "./operation.ts";
import { linkNextPage, requestedPage } from "./page-cursor.ts";
import type { OperationSchema } from "./validation.ts";

interface ListDefinition<Path extends string, Access extends Auth, Item, Query extends PageQuery> {
  path: Path;
  id: string;
  tag: string;
  summary: string;
  auth: Access;
  role?: AccountRole;
  /** `pageQuerySchema`, or one with more parameters. */
  query: OperationSchema<Query>;
  /** Of the answer. */
  description: string;
  schema: OperationSchema<Item[]>;
  /** Reads a page. A list that leaves out entries may answer fewer than the limit. */
  read: (call: Call<Path, Access, undefined, Query>, page: PageRequest) => Promise<Page<Item>>;
}

/**
 * Defines an operation that lists entries: all of them, or by pages with `limit` and `cursor`. The answer is an array either
 * way; the next page is named in the `Link` header.
 */
export function listOperation<
  const Path extends string,
  const Access extends Auth,
  Item,
  Query extends PageQuery,
>(definition: ListDefinition<Path, Access, Item, Query>): Operation {
  const { path, id, tag, summary, auth, role, query, description, schema, read } = definition;
  return operation({
    method: "GET",
    path,
    id,
    tag,
    summary,
    auth,
    ...(role && { role }),
    query: { schema: query, form: { numbers: ["limit"] } },
    answer: { status: 200, description, schema },
    async handler(call: Call<Path, Access, undefined, Query>) {
      const { items, next } = await read(call, requestedPage(id, call.query));
      if (next !== null) linkNextPage(call.context, id, next);
      return items;
    },
  });
}
