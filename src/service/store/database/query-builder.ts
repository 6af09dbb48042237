import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Queries } from "./queries.ts";
import type { Tables } from "./tables.ts";

type Language = Omit<Dialect, "createDriver">;

/** What the query builder needs to know about each database. */
const languages = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
} satisfies Record<string, Language>;

function noTransactions(): never {
  throw new Error("The query builder has no transactions; use a unit of Queries.");
}

/** What the query builder takes for a connection. */
function connectionOf(queries: Queries): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changed } = await queries.run<Row>({ sql, parameters });
      return { rows, numAffectedRows: BigInt(changed) };
    },
    streamQuery() {
      throw new Error("Queries are not streamed.");
    },
  };
}

function driverOf(queries: Queries): Driver {
  const done = Promise.resolve();
  const connection = Promise.resolve(connectionOf(queries));
  return {
    init: () => done,
    acquireConnection: () => connection,
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    releaseConnection: () => done,
    destroy: () => done,
  };
}

/** A query builder that runs its statements through `queries`. The caller opens and closes those. */
export function queryBuilder(language: keyof typeof languages, queries: Queries): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...languages[language], createDriver: () => driverOf(queries) } });
}
