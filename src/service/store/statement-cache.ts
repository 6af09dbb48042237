import type Database from "libsql";
import { LRUCache } from "lru-cache";

/** The service has few statements; the limit is for those that are built dynamically. */
const maxStatements = 200;

/** A statement that is ready to run. */
interface PreparedStatement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  /**
   * The first row, if any. `all` leaves a cursor to the garbage collector, and tens of thousands of them make its next run
   * stop the process for a tenth of a second.
   */
  first(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint };
}

/** The statements of a database, each prepared once. */
export interface StatementCache {
  /**
   * `isSingle`: the statement is for `first`. It is prepared separately from the one for `all`, because libsql's `get` returns
   * nothing after an `all` of the same statement.
   */
  prepare(sql: string, isSingle?: boolean): PreparedStatement;
  clear(): void;
}

/**
 * Caches prepared statements. Preparing a statement for each query takes longer than most of them run, and leaves native
 * memory to the garbage collector.
 */
export function statementCache(database: Database.Database): StatementCache {
  const cache = () =>
    new LRUCache<string, PreparedStatement>({ max: maxStatements, memoMethod: (sql) => prepared(sql) });
  const [statements, singles] = [cache(), cache()];

  function prepared(sql: string): PreparedStatement {
    const statement = database.prepare(sql);
    const reader = statement.reader;
    return {
      reader,
      all: (parameters) => statement.all(parameters),
      first(parameters) {
        const row: unknown = statement.get(parameters);
        return row === undefined ? [] : [row];
      },
      run: (parameters) => statement.run(parameters),
    };
  }

  return {
    prepare: (sql, isSingle = false) => (isSingle ? singles : statements).memo(sql),
    clear() {
      statements.clear();
      singles.clear();
    },
  };
}
