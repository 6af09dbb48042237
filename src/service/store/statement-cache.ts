import type { SqliteDatabase, SqliteStatement } from "kysely";
import type Database from "libsql";

/** The service's statements are few; the limit only guards against ones that are made up as they go. */
const keptStatements = 200;

/**
 * The database as the query builder sees it, with every statement prepared once. Preparing anew for each query takes longer
 * than most of them run, and leaves native memory behind that waits for the garbage collector.
 */
export function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = database.prepare(sql) as unknown as SqliteStatement;
      const [oldest] = statements.keys();
      if (statements.size >= keptStatements && oldest !== undefined) statements.delete(oldest);
      statements.set(sql, statement);
      return statement;
    },
    close() {
      statements.clear();
      database.close();
    },
  };
}
