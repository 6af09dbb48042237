import type Database from "libsql";

/** How long writing waits for another process that writes, and how often it looks. */
const busyTimeoutMs = 5_000;
const busyRetryMs = 2;

/** Statements that are written together. */
interface Batch {
  /** Resolves when they are committed; rejects when none of them was. */
  committed: Promise<void>;
  settle(error?: Error): void;
}

/** What waits for its turn. */
interface Task {
  writes: boolean;
  /** Nothing else runs until `free`. */
  isUnit: boolean;
  go(): void;
  fail(error: Error): void;
}

function newBatch(): Batch {
  let settle!: Batch["settle"];
  const committed = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Whoever waits hears of a failure; where nobody does, it harms nobody.
  committed.catch(() => undefined);
  return { committed, settle };
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error("The database failed.", { cause });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Runs statements on one SQLite connection so that those of concurrent callers share a commit: everything that is asked
 * for in one turn of the event loop is one transaction, and nobody hears of a result before it is committed. A unit
 * (several statements, all or nothing) is a savepoint in it. Another process's transaction is awaited without blocking.
 */
export class GroupCommit {
  readonly #database: Pick<Database.Database, "exec" | "inTransaction">;
  readonly #control: Readonly<Record<"begin" | "commit" | "savepoint" | "release", Database.Statement>>;
  readonly #waiting: Task[] = [];
  #batch: Batch | null = null;
  #isHeld = false;
  #isCommitDue = false;
  #busySinceMs: number | null = null;
  #retry: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database.Database, "exec" | "inTransaction" | "prepare">) {
    this.#database = database;
    // They run with every request, so they are not to be parsed each time.
    this.#control = {
      begin: database.prepare("begin immediate"),
      commit: database.prepare("commit"),
      savepoint: database.prepare("savepoint unit"),
      release: database.prepare("release unit"),
    };
  }

  /** Runs one statement in its turn. */
  run<Value>(writes: boolean, statement: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        try {
          const value = this.#execute(statement);
          // What a read has seen may have been written in this batch.
          if (this.#batch) this.#batch.committed.then(() => resolve(value), reject);
          else resolve(value);
        } catch (error) {
          reject(asError(error));
        }
      };
      this.#enter({ writes, isUnit: false, go, fail: reject });
    });
  }

  /** Begins a unit; until it ends, only its own statements run. */
  begin(): Promise<Unit> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        try {
          this.#execute(() => this.#control.savepoint.run([]));
          resolve(this.#unit(this.#batch!));
        } catch (error) {
          reject(asError(error));
          this.#free();
        }
      };
      this.#enter({ writes: true, isUnit: true, go, fail: reject });
    });
  }

  /** Commits what is open. */
  flush(): void {
    this.#commit();
  }

  #unit(batch: Batch): Unit {
    const run = <Value>(statement: () => Value): Value => {
      // Without its batch, a statement would be written on its own.
      if (this.#batch !== batch) throw new Error("The transaction was rolled back.");
      return this.#execute(statement);
    };
    return {
      run,
      commit: () => {
        try {
          run(() => this.#control.release.run([]));
        } finally {
          this.#free();
        }
        return batch.committed;
      },
      rollback: () => {
        try {
          if (this.#batch === batch) this.#database.exec("rollback to unit; release unit");
        } finally {
          this.#free();
        }
      },
    };
  }

  #enter(task: Task): void {
    this.#waiting.push(task);
    this.#proceed();
  }

  #proceed(): void {
    for (let task = this.#waiting[0]; task && !this.#isHeld; task = this.#waiting[0]) {
      if (task.writes && !this.#open(task)) return;
      this.#waiting.shift();
      this.#isHeld = task.isUnit;
      task.go();
    }
  }

  /** Has a batch open for a task; false where it must wait. */
  #open(task: Task): boolean {
    if (this.#batch) return true;
    if (this.#retry) return false;
    try {
      this.#control.begin.run([]);
    } catch (error) {
      this.#busySinceMs ??= performance.now();
      if (!isBusy(error) || performance.now() - this.#busySinceMs > busyTimeoutMs) {
        this.#busySinceMs = null;
        this.#waiting.shift();
        task.fail(asError(error));
        this.#proceed();
      } else {
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#proceed();
        }, busyRetryMs);
      }
      return false;
    }
    this.#busySinceMs = null;
    this.#batch = newBatch();
    setImmediate(() => this.#commit());
    return true;
  }

  #execute<Value>(statement: () => Value): Value {
    try {
      return statement();
    } catch (error) {
      // Most faults undo their own statement. A full disk undoes everything, and nobody may believe it was written.
      if (this.#batch && !this.#database.inTransaction) this.#end(asError(error));
      throw error;
    }
  }

  #free(): void {
    this.#isHeld = false;
    if (this.#isCommitDue) this.#commit();
    this.#proceed();
  }

  #commit(): void {
    this.#isCommitDue = this.#isHeld;
    if (this.#isHeld || !this.#batch) return;
    try {
      this.#control.commit.run([]);
      this.#end();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback");
      this.#end(asError(error));
    }
    this.#proceed();
  }

  #end(error?: Error): void {
    const batch = this.#batch;
    this.#batch = null;
    batch?.settle(error);
  }
}

/** Several statements of which all are written, or none. */
export interface Unit {
  run<Value>(statement: () => Value): Value;
  /** Ends the unit; resolves when its batch is committed. */
  commit(): Promise<void>;
  /** Undoes the unit and ends it. */
  rollback(): void;
}
