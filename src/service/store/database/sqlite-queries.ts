import type Database from "libsql";
import { LRUCache } from "lru-cache";
import * as z from "zod";
import { type Answer, isRead, type Queries, type Query, type Unit } from "./queries.ts";

/** Makes an Error of a thrown value. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("The database threw a value that is not an error.", { cause: thrown });
}

/** How long writes wait for another process that writes to the same file, and how often they try again. */
const busyTimeoutMs = 5_000;
const busyRetryMs = 2;

/** Interval of commits under constant load. A commit costs more than the statements in it. */
const commitIntervalMs = 4;

/** A statement or a unit that waits for its commit. */
interface Task {
  run(): void;
  /** Reports the commit, or the error because of which nothing was written. */
  settle(error?: Error): void;
  /** Whether it has several statements, so that it may fail after something was written. */
  isUnit: boolean;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Writes on one SQLite connection so that concurrent callers share commits: everything within one turn of the event loop, or
 * within 4 ms after the last commit, is one transaction. Calls resolve after the commit. While another process writes, they
 * wait without blocking the event loop.
 *
 * Units have no savepoints, because those would cost each heartbeat two more statements. When a unit fails, its batch is
 * rolled back and repeated with a savepoint for each unit, so work may run twice.
 */
export class GroupCommit {
  readonly #database: Pick<Database.Database, "exec" | "inTransaction">;
  readonly #toError: (thrown: unknown) => Error;
  readonly #control: Readonly<Record<"begin" | "commit" | "savepoint" | "release", Database.Statement>>;
  /** Tasks that wait until another process has written. */
  #waiting: Task[] = [];
  /** Tasks that are written but not committed; null while no transaction is open. */
  #batch: Task[] | null = null;
  /** Whether a unit of the batch has failed. */
  #usesSavepoints = false;
  #busySinceMs: number | null = null;
  #retry: NodeJS.Timeout | undefined;
  #committedAtMs = -Infinity;
  /** Whether nothing may be written. */
  #isPaused = false;

  /** `toError` makes the error that callers get of what the database threw. */
  constructor(
    database: Pick<Database.Database, "exec" | "inTransaction" | "prepare">,
    toError: (thrown: unknown) => Error = asError,
  ) {
    this.#database = database;
    this.#toError = toError;
    // They run very often, so they are prepared once.
    this.#control = {
      begin: database.prepare("begin immediate"),
      commit: database.prepare("commit"),
      savepoint: database.prepare("savepoint unit"),
      release: database.prepare("release unit"),
    };
  }

  /** Runs one statement; resolves with its result when it is committed. */
  statement<Value>(work: () => Value): Promise<Value> {
    return this.#enter(work, false);
  }

  /** Runs several statements. If the work throws, none of them is written. */
  unit<Value>(work: () => Value): Promise<Value> {
    return this.#enter(work, true);
  }

  /** Commits what is open. */
  flush(): void {
    this.#commit();
  }

  /** Runs work that needs the database while nothing is written. Writes wait meanwhile. */
  async pauseFor(work: () => Promise<unknown>): Promise<void> {
    this.#commit();
    this.#isPaused = true;
    try {
      await work();
    } finally {
      this.#isPaused = false;
      this.#proceed();
    }
  }

  #enter<Value>(work: () => Value, isUnit: boolean): Promise<Value> {
    return new Promise((resolve, reject) => {
      let value: Value;
      const run = (): void => void (value = work());
      const settle = (error?: Error): void => (error === undefined ? resolve(value) : reject(error));
      const task = { run, settle, isUnit };
      if (this.#waiting.length === 0 && this.#open()) this.#write(task);
      else this.#waiting.push(task);
    });
  }

  /** Opens a transaction if none is open; false if that must wait. */
  #open(): boolean {
    if (this.#batch) return true;
    if (this.#retry || this.#isPaused) return false;
    try {
      this.#control.begin.run([]);
    } catch (error) {
      this.#postpone(error);
      return false;
    }
    this.#busySinceMs = null;
    this.#batch = [];
    const dueInMs = this.#committedAtMs + commitIntervalMs - performance.now();
    if (dueInMs > 0) setTimeout(() => this.#commit(), dueInMs);
    else setImmediate(() => this.#commit());
    return true;
  }

  #postpone(error: unknown): void {
    this.#busySinceMs ??= performance.now();
    const isOver = !isBusy(error) || performance.now() - this.#busySinceMs > busyTimeoutMs;
    // In another turn of the event loop, so that the task that is being added is rejected too.
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        if (isOver) this.#giveUp(this.#toError(error));
        else this.#proceed();
      },
      isOver ? 0 : busyRetryMs,
    );
  }

  #giveUp(error: Error): void {
    this.#busySinceMs = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const task of waiting) task.settle(error);
  }

  #proceed(): void {
    while (this.#waiting.length > 0 && this.#open()) {
      const task = this.#waiting.shift();
      if (task) this.#write(task);
    }
  }

  /** Writes a task into the open transaction. */
  #write(task: Task): void {
    try {
      if (task.isUnit && this.#usesSavepoints) this.#runInSavepoint(task);
      else task.run();
      this.#batch?.push(task);
    } catch (error) {
      if (!this.#database.inTransaction) {
        // Most errors roll back their own statement. A full disk rolls back the whole transaction.
        this.#end(this.#toError(error));
        task.settle(this.#toError(error));
      } else if (task.isUnit && !this.#usesSavepoints) this.#redo(task);
      else task.settle(this.#toError(error));
    }
  }

  #runInSavepoint(unit: Task): void {
    this.#control.savepoint.run([]);
    try {
      unit.run();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback to unit; release unit");
      throw error;
    }
    this.#control.release.run([]);
  }

  /** Repeats the batch in the same order, and then the unit that failed. */
  #redo(failed: Task): void {
    this.#database.exec("rollback");
    this.#waiting.unshift(...(this.#batch ?? []), failed);
    this.#batch = null;
    this.#usesSavepoints = true;
    this.#proceed();
  }

  #commit(): void {
    if (!this.#batch) return;
    try {
      this.#control.commit.run([]);
      this.#end();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback");
      this.#end(this.#toError(error));
    }
    this.#proceed();
  }

  #end(error?: Error): void {
    const batch = this.#batch ?? [];
    this.#batch = null;
    this.#usesSavepoints = false;
    this.#committedAtMs = performance.now();
    for (const task of batch) task.settle(error);
  }
}

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
interface StatementCache {
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
function statementCache(database: Database.Database): StatementCache {
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

/** The queries of an SQLite database. */
interface SqliteQueries extends Queries {
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
export function sqliteQueries(
  writer: Database.Database,
  reader: Database.Database,
  toError: (thrown: unknown) => Error,
): SqliteQueries {
  const writing = statementCache(writer);
  const reading = statementCache(reader);
  const commits = new GroupCommit(writer, toError);
  let isClosed = false;
  /** What is late, such as work that a request has left behind, gets an error: the native library would panic. */
  const assertOpen = (): void => {
    if (isClosed) throw new Error("The store is closed.");
  };
  return {
    async run(query) {
      assertOpen();
      if (isRead(query)) return execute(reading, query);
      return commits.statement(() => execute(writing, query));
    },
    async unit(begin) {
      assertOpen();
      return commits.unit(() => finish(writing, begin()));
    },
    pauseFor: (work) => commits.pauseFor(work),
    // On the connection that writes: its own writes do not change the number.
    foreignWrites() {
      assertOpen();
      return dataVersionSchema.parse(writing.prepare("pragma data_version", true).first([])[0]).data_version;
    },
    close() {
      commits.flush();
      isClosed = true;
      writing.clear();
      reading.clear();
      writer.close();
      reader.close();
    },
  };
}
