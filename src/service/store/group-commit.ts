import type Database from "libsql";
import { asError } from "./as-error.ts";

/** How long writing waits for another process that writes, and how often it looks. */
const busyTimeoutMs = 5_000;
const busyRetryMs = 2;

/** So far apart are commits while there is always something to write. One costs more than the statements in it. */
const commitEveryMs = 4;

/** Statements that are written together. */
interface Task {
  run(): void;
  /** They are committed, or none of them is written. */
  tell(error?: Error): void;
  /** Whether it consists of several statements, so that a failure may come after something was written. */
  isUnit: boolean;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Writes on one SQLite connection so that concurrent callers share a commit: what is asked for within a turn of the event
 * loop, or within 4 ms of the last commit, is one transaction, and nobody hears of a result before it is committed.
 * Another process's transaction is awaited without blocking.
 *
 * Units are not guarded one by one, which would cost each heartbeat two more statements: when one fails, its batch is
 * undone and done again, now with a savepoint for each. So work may run twice.
 */
export class GroupCommit {
  readonly #database: Pick<Database.Database, "exec" | "inTransaction">;
  readonly #control: Readonly<Record<"begin" | "commit" | "savepoint" | "release", Database.Statement>>;
  /** What waits until another process has written. */
  #waiting: Task[] = [];
  /** What is written but not committed; null while no transaction is open. */
  #batch: Task[] | null = null;
  /** Whether a unit of the batch has failed. */
  #isGuarded = false;
  #busySinceMs: number | null = null;
  #retry: NodeJS.Timeout | undefined;
  #committedAtMs = -Infinity;
  /** Whether writing rests. */
  #isResting = false;

  constructor(database: Pick<Database.Database, "exec" | "inTransaction" | "prepare">) {
    this.#database = database;
    // They run all the time, so they are not to be parsed each time.
    this.#control = {
      begin: database.prepare("begin immediate"),
      commit: database.prepare("commit"),
      savepoint: database.prepare("savepoint unit"),
      release: database.prepare("release unit"),
    };
  }

  /** Runs one statement; resolves with its result when that is committed. */
  statement<Value>(work: () => Value): Promise<Value> {
    return this.#enter(work, false);
  }

  /** Runs several statements, of which all are written or, where the work throws, none. */
  unit<Value>(work: () => Value): Promise<Value> {
    return this.#enter(work, true);
  }

  /** Commits what is open. */
  flush(): void {
    this.#commit();
  }

  /** Runs work that needs the database while nothing is written; what comes meanwhile waits. */
  async rest(work: () => Promise<unknown>): Promise<void> {
    this.#commit();
    this.#isResting = true;
    try {
      await work();
    } finally {
      this.#isResting = false;
      this.#proceed();
    }
  }

  #enter<Value>(work: () => Value, isUnit: boolean): Promise<Value> {
    return new Promise((resolve, reject) => {
      let value: Value;
      const run = (): void => void (value = work());
      const tell = (error?: Error): void => (error === undefined ? resolve(value) : reject(error));
      const task = { run, tell, isUnit };
      if (this.#waiting.length === 0 && this.#open()) this.#write(task);
      else this.#waiting.push(task);
    });
  }

  /** Has a transaction open; false where it must be waited for. */
  #open(): boolean {
    if (this.#batch) return true;
    if (this.#retry || this.#isResting) return false;
    try {
      this.#control.begin.run([]);
    } catch (error) {
      this.#postpone(error);
      return false;
    }
    this.#busySinceMs = null;
    this.#batch = [];
    const dueInMs = this.#committedAtMs + commitEveryMs - performance.now();
    if (dueInMs > 0) setTimeout(() => this.#commit(), dueInMs);
    else setImmediate(() => this.#commit());
    return true;
  }

  #postpone(error: unknown): void {
    this.#busySinceMs ??= performance.now();
    const isOver = !isBusy(error) || performance.now() - this.#busySinceMs > busyTimeoutMs;
    // Told in a turn of its own, so that whoever has just come is among those who hear of it.
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        if (isOver) this.#giveUp(asError(error));
        else this.#proceed();
      },
      isOver ? 0 : busyRetryMs,
    );
  }

  #giveUp(error: Error): void {
    this.#busySinceMs = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const task of waiting) task.tell(error);
  }

  #proceed(): void {
    while (this.#waiting.length > 0 && this.#open()) this.#write(this.#waiting.shift()!);
  }

  /** Writes a task into the open transaction. */
  #write(task: Task): void {
    try {
      if (task.isUnit && this.#isGuarded) this.#runGuarded(task);
      else task.run();
      this.#batch!.push(task);
    } catch (error) {
      if (!this.#database.inTransaction) {
        // Most faults undo their own statement. A full disk undoes everything, and nobody may believe it was written.
        this.#end(asError(error));
        task.tell(asError(error));
      } else if (task.isUnit && !this.#isGuarded) this.#redo(task);
      else task.tell(asError(error));
    }
  }

  #runGuarded(unit: Task): void {
    this.#control.savepoint.run([]);
    try {
      unit.run();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback to unit; release unit");
      throw error;
    }
    this.#control.release.run([]);
  }

  /** Does the batch again in the same order, and then the unit that failed. */
  #redo(failed: Task): void {
    this.#database.exec("rollback");
    this.#waiting.unshift(...this.#batch!, failed);
    this.#batch = null;
    this.#isGuarded = true;
    this.#proceed();
  }

  #commit(): void {
    if (!this.#batch) return;
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
    const batch = this.#batch ?? [];
    this.#batch = null;
    this.#isGuarded = false;
    this.#committedAtMs = performance.now();
    for (const task of batch) task.tell(error);
  }
}
