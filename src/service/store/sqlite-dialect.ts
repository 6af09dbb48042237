import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import type { Queries } from "./queries.ts";

function noTransactions(): never {
  throw new Error("What is written together is a unit.");
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

function sqliteDriver(queries: Queries): Driver {
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

/** The query builder upon queries that somebody else opens and closes. It has no transactions: those are units. */
export function sqliteDialect(queries: Queries): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => sqliteDriver(queries),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
