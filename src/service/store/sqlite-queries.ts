import type Database from "libsql";
import { GroupCommit } from "./group-commit.ts";
import { isRead } from "./queries.ts";
import type { Answer, Queries, Query, Unit } from "./queries.ts";
import { statementCache } from "./statement-cache.ts";
import type { StatementCache } from "./statement-cache.ts";

/** The queries of an SQLite database. */
export interface SqliteQueries extends Queries {
  /** Runs work that needs the database while nothing is written. */
  rest(work: () => Promise<unknown>): Promise<void>;
  /** A number that changes whenever another process wrote, and only then. Throws where the database is busy. */
  foreignWrites(): number;
  /** Commits what is open and closes both connections. */
  close(): void;
}

interface DataVersion {
  data_version: number;
}

function execute<Row>(statements: StatementCache, { sql, parameters, isSingle }: Query<Row>): Answer<Row> {
  const prepared = statements.prepare(sql);
  if (prepared.reader) {
    const rows = (isSingle ? prepared.first(parameters) : prepared.all(parameters)) as Row[];
    return { rows, changed: rows.length };
  }
  return { rows: [], changed: Number(prepared.run(parameters).changes) };
}

/** Runs a unit in one go: nothing comes between its statements. */
function finish<Value>(statements: StatementCache, unit: Unit<Value>): Value {
  for (let step = unit.next(); ; step = unit.next(execute(statements, step.value)))
    if (step.done) return step.value;
}

/**
 * Queries on two connections to one file in WAL mode. One writes, and shares its commits among callers; the other reads what
 * is committed, so that nobody who reads waits for those who write.
 */
export function sqliteQueries(writer: Database.Database, reader: Database.Database): SqliteQueries {
  const writing = statementCache(writer);
  const reading = statementCache(reader);
  const commits = new GroupCommit(writer);
  return {
    async run(query) {
      if (isRead(query)) return execute(reading, query);
      return commits.statement(() => execute(writing, query));
    },
    unit: (begin) => commits.unit(() => finish(writing, begin())),
    rest: (work) => commits.rest(work),
    // Asked of the connection that writes, for which our own writing does not count.
    foreignWrites: () => (writing.prepare("pragma data_version").first([])[0] as DataVersion).data_version,
    close() {
      commits.flush();
      writing.clear();
      reading.clear();
      writer.close();
      reader.close();
    },
  };
}
