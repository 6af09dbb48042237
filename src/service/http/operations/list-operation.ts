import * as z from "zod";
import type { PageQuery } from "../../../protocol/schema/paging.ts";
import { Fault } from "../../faults/fault.ts";
import type { Page, PageRequest } from "../../store/store.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpContext } from "../http-environment.ts";
import type { AccountRole } from "../../../protocol/console/accounts.ts";
import { type Auth, type Call, operation, type Operation } from "./operation.ts";
import type { OperationSchema } from "./validation.ts";

/** What a cursor holds: the list that it belongs to, and the place after which the page begins. */
const cursorSchema = z.tuple([z.string(), z.int().min(0)]);

function placeOf(list: string, cursor: string): number {
  const invalid = Fault.invalid("invalid", "This is not a cursor of this list.", "cursor");
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalid;
  }
  const place = cursorSchema.safeParse(value);
  if (!place.success || place.data[0] !== list) throw invalid;
  return place.data[1];
}

/** The page that a query asks for. Throws a Fault for a cursor that is not one of the list. */
export function requestedPage(list: string, { limit, cursor }: PageQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : placeOf(list, cursor) };
}

/**
 * Names the next page in the answer's `Link` header (RFC 8288), relative to the request's address and with the request's
 * other parameters.
 */
export function linkNextPage(context: HttpContext, list: string, next: number): void {
  const query = new URL(context.req.url).searchParams;
  query.set("cursor", Buffer.from(JSON.stringify([list, next])).toString("base64url"));
  answerHeaders(context)["Link"] = `<?${query.toString()}>; rel="next"`;
}

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
