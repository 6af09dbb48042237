import type pg from "pg";
import { asError } from "./as-error.ts";
import { runTogether } from "./postgres-pipeline.ts";
import { withConnection } from "./postgres-pool.ts";
import type { Answer, Query } from "./queries.ts";
import { StatementFailure, isPassing } from "./statement-failure.ts";

interface Task {
  query: Query<unknown>;
  isRepeated: boolean;
  resolve(answer: Answer<unknown>): void;
  reject(error: Error): void;
}

/** Reads in a Postgres database so that concurrent callers share a round trip. One that fails takes nobody along. */
export class PostgresGroupReads {
  readonly #pool: pg.Pool;
  #waiting: Task[] = [];
  #isReading = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  read<Row>(query: Query<Row>): Promise<Answer<Row>> {
    return new Promise<Answer<unknown>>((resolve, reject) => {
      this.#waiting.push({ query, isRepeated: false, resolve, reject });
      if (this.#isReading) return;
      this.#isReading = true;
      setImmediate(() => void this.#proceed());
    }) as Promise<Answer<Row>>;
  }

  async #proceed(): Promise<void> {
    while (this.#waiting.length > 0) {
      const tasks = this.#waiting;
      this.#waiting = [];
      await this.#read(tasks);
    }
    this.#isReading = false;
  }

  async #read(tasks: readonly Task[]): Promise<void> {
    const queries = tasks.map(({ query }) => query);
    const resolve = (answers: readonly Answer<unknown>[]): void => {
      for (const [place, answer] of answers.entries()) tasks[place]!.resolve(answer);
    };
    try {
      resolve(await withConnection(this.#pool, (client) => runTogether(client, queries)));
    } catch (error) {
      if (error instanceof StatementFailure) {
        resolve(error.answers);
        this.#setApart(tasks.slice(error.answers.length), error.cause);
      } else for (const task of tasks) task.reject(asError(error));
    }
  }

  /** The first of them failed, the others were not run. */
  #setApart([failed, ...skipped]: readonly Task[], cause: unknown): void {
    this.#waiting.unshift(...skipped);
    if (isPassing(cause) && !failed!.isRepeated) this.#waiting.unshift({ ...failed!, isRepeated: true });
    else failed!.reject(asError(cause));
  }
}
