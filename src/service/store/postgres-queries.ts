import type pg from "pg";
import { PostgresGroupCommit } from "./postgres-group-commit.ts";
import { PostgresGroupReads } from "./postgres-group-reads.ts";
import { ask, isRead } from "./queries.ts";
import type { Queries } from "./queries.ts";

/** Queries on the connections of a pool: at most one at a time for all that write, and one for all that read. */
export function postgresQueries(pool: pg.Pool): Queries {
  const commits = new PostgresGroupCommit(pool);
  const reads = new PostgresGroupReads(pool);
  return {
    run: (query) => (isRead(query) ? reads.read(query) : commits.unit(() => ask(query))),
    unit: (begin) => commits.unit(begin),
  };
}
