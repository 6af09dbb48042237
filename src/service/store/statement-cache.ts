import type Database from "libsql";

/** The service's statements are few; the limit only guards against ones that are made up as they go. */
const keptStatements = 200;

/** A statement that is ready to run. */
interface PreparedStatement {
  /** Whether it answers rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  /**
   * The first row, if any. Cursors belong to the garbage collector: tens of thousands of them make its next run stop
   * everything for a tenth of a second.
   */
  first(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint };
}

/** A database's statements, each prepared once. */
export interface StatementCache {
  prepare(sql: string): PreparedStatement;
  clear(): void;
}

/**
 * Keeps prepared statements. Preparing anew for each query takes longer than most of them run, and leaves native memory
 * behind that waits for the garbage collector.
 */
export function statementCache(database: Database.Database): StatementCache {
  const statements = new Map<string, PreparedStatement>();

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
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = prepared(sql);
      const [oldest] = statements.keys();
      if (statements.size >= keptStatements && oldest !== undefined) statements.delete(oldest);
      statements.set(sql, statement);
      return statement;
    },
    clear: () => statements.clear(),
  };
}
