import { type SelectQueryBuilder, sql } from "kysely";

/** Which part of a list to read. Default: all of it. */
export interface PageRequest {
  /** The place after which the part begins: `next` of the page before. Default: the beginning of the list. */
  after?: number | undefined;
  /** The most items to read. Default: no limit. */
  limit?: number | undefined;
}

/** Part of a list, in the order of the list. */
export interface Page<Item> {
  items: Item[];
  /** The place after which the next page begins; null on the last page. */
  next: number | null;
}

/** Rows that are listed in the order in which they were added. */
interface Sequenced {
  sequence: number;
}

/** The column, whose table the query builder cannot know here. */
const sequence = sql<number>`${sql.ref("sequence")}`;

/**
 * Limits a query to the rows of a page and one more, which shows whether there is a next page. In a list whose newest rows come first,
 * the page begins before the place.
 */
export function inPage<Database, Table extends keyof Database, Output extends Sequenced>(
  query: SelectQueryBuilder<Database, Table, Output>,
  { after, limit }: PageRequest,
  order: "oldest first" | "newest first" = "oldest first",
): SelectQueryBuilder<Database, Table, Output> {
  const isForward = order === "oldest first";
  const beyond = isForward ? sql<boolean>`${sequence} > ${after}` : sql<boolean>`${sequence} < ${after}`;
  const rest = after === undefined ? query : query.where(beyond);
  const ordered = rest.orderBy(sequence, isForward ? "asc" : "desc");
  return limit === undefined ? ordered : ordered.limit(limit + 1);
}

/** The page from the rows of `inPage`. */
export function pageOf<Row extends Sequenced, Item>(
  rows: readonly Row[],
  { limit = Infinity }: PageRequest,
  toItem: (row: Row) => Item,
): Page<Item> {
  const kept = rows.slice(0, limit);
  const next = rows.length > kept.length ? (kept.at(-1)?.sequence ?? null) : null;
  return { items: kept.map(toItem), next };
}
