import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import type Database from "libsql";
import { GroupCommit } from "./group-commit.ts";
import type { Unit } from "./group-commit.ts";
import { statementCache } from "./statement-cache.ts";
import type { StatementCache } from "./statement-cache.ts";

const readStatement = /^\s*select\b/i;

/** What the query builder takes for a connection: all of them share the one there is. */
class SharedConnection implements DatabaseConnection {
  readonly #statements: StatementCache;
  readonly #commits: GroupCommit;
  #unit: Unit | null = null;

  constructor(statements: StatementCache, commits: GroupCommit) {
    this.#statements = statements;
    this.#commits = commits;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = (): QueryResult<Row> => {
      const prepared = this.#statements.prepare(sql);
      if (prepared.reader) return { rows: prepared.all(parameters) as Row[] };
      const { changes } = prepared.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    };
    return this.#unit ? this.#unit.run(statement) : this.#commits.run(!readStatement.test(sql), statement);
  }

  streamQuery(): never {
    throw new Error("Queries are not streamed.");
  }

  async begin(): Promise<void> {
    this.#unit = await this.#commits.begin();
  }

  async commit(): Promise<void> {
    const unit = this.#unit;
    this.#unit = null;
    await unit?.commit();
  }

  rollback(): void {
    const unit = this.#unit;
    this.#unit = null;
    unit?.rollback();
  }
}

function shared(connection: DatabaseConnection): SharedConnection {
  if (connection instanceof SharedConnection) return connection;
  throw new Error("This is a connection of another database.");
}

function sqliteDriver(database: Database.Database): Driver {
  const statements = statementCache(database);
  const commits = new GroupCommit(database);
  const done = Promise.resolve();
  return {
    init: () => done,
    acquireConnection: () => Promise.resolve(new SharedConnection(statements, commits)),
    beginTransaction: (connection) => shared(connection).begin(),
    commitTransaction: (connection) => shared(connection).commit(),
    async rollbackTransaction(connection) {
      shared(connection).rollback();
      return done;
    },
    releaseConnection: () => done,
    destroy() {
      commits.flush();
      statements.clear();
      database.close();
      return done;
    },
  };
}

/** SQLite for the query builder: prepared statements are kept, and concurrent writes share their commit. */
export function sqliteDialect(database: Database.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => sqliteDriver(database),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
