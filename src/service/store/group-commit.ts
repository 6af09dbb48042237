import type Database from "libsql";
import { asError } from "./as-error.ts";

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

  constructor(database: Pick<Database.Database, "exec" | "inTransaction" | "prepare">) {
    this.#database = database;
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
        this.#end(asError(error));
        task.settle(asError(error));
      } else if (task.isUnit && !this.#usesSavepoints) this.#redo(task);
      else task.settle(asError(error));
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
      this.#end(asError(error));
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
