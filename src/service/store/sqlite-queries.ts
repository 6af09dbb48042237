import type Database from "libsql";
import * as z from "zod";
import { GroupCommit } from "./group-commit.ts";
import { isRead } from "./queries.ts";
import type { Answer, Queries, Query, Unit } from "./queries.ts";
import { statementCache } from "./statement-cache.ts";
import type { StatementCache } from "./statement-cache.ts";

/** The queries of an SQLite database. */
export interface SqliteQueries extends Queries {
  /** Runs work that needs the database while nothing is written. */
  pauseFor(work: () => Promise<unknown>): Promise<void>;
  /** A number that changes whenever another process wrote, and only then. Throws where the database is busy. */
  foreignWrites(): number;
  /** Commits what is open and closes both connections. */
  close(): void;
}

const dataVersionSchema = z.object({ data_version: z.number() });

function execute<Row>(statements: StatementCache, { sql, parameters, isSingle }: Query<Row>): Answer<Row> {
  const prepared = statements.prepare(sql, isSingle);
  if (prepared.reader) {
    // eslint-disable-next-line no-restricted-syntax -- the query names its columns and their type
    const rows = (isSingle ? prepared.first(parameters) : prepared.all(parameters)) as Row[];
    return { rows, changed: rows.length };
  }
  return { rows: [], changed: Number(prepared.run(parameters).changes) };
}

/** Runs a unit synchronously, so that no other statement comes between its own. */
function finish<Value>(statements: StatementCache, unit: Unit<Value>): Value {
  for (let step = unit.next(); ; step = unit.next(execute(statements, step.value)))
    if (step.done) return step.value;
}

/**
 * Queries on two connections to one file in WAL mode: one for writes, whose commits concurrent callers share, and one for reads.
 * Reads see only what is committed and do not wait for writes.
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
    pauseFor: (work) => commits.pauseFor(work),
    // On the connection that writes: its own writes do not change the number.
    foreignWrites: () =>
      dataVersionSchema.parse(writing.prepare("pragma data_version", true).first([])[0]).data_version,
    close() {
      commits.flush();
      writing.clear();
      reading.clear();
      writer.close();
      reader.close();
    },
  };
}
