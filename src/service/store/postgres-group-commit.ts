import type pg from "pg";
import { asError } from "./as-error.ts";
import { UnitFailures, inLockStep } from "./lock-step.ts";
import type { Outcome } from "./lock-step.ts";
import { runTogether } from "./postgres-pipeline.ts";
import { withConnection } from "./postgres-pool.ts";
import type { Answer, Query, Unit } from "./queries.ts";
import { StatementFailure, isPassing } from "./statement-failure.ts";

/** More at once would make everybody wait for the last. */
const largestBatch = 200;

/** So often a batch is done again because of what stood in its way, or without those that failed. */
const attempts = 4;

interface Task {
  begin: () => Unit<unknown>;
  tell(outcome: Outcome): void;
}

const statement = (sql: string): Query<unknown> => ({ sql, parameters: [] });

/** A process that freezes in the middle must not keep its rows from the others. */
const opening = [statement("begin"), statement("set local idle_in_transaction_session_timeout = 5000")];
const commit = [statement("commit")];

/** Sends statements of units, the first ones behind the opening of their transaction. */
function statementsIn(client: pg.PoolClient) {
  let before: readonly Query<unknown>[] = opening;
  return async (queries: readonly Query<unknown>[]): Promise<readonly Answer<unknown>[]> => {
    const [sent, skipped] = [[...before, ...queries], before.length];
    before = [];
    try {
      return (await runTogether(client, sent)).slice(skipped);
    } catch (error) {
      if (!(error instanceof StatementFailure)) throw error;
      throw new StatementFailure(error.answers.slice(skipped), error.cause);
    }
  };
}

/** Runs units in a transaction. Throws what inLockStep throws, and then nothing is written. */
async function transaction(client: pg.PoolClient, units: readonly Unit<unknown>[]): Promise<Outcome[]> {
  try {
    const outcomes = await inLockStep(units, statementsIn(client));
    await runTogether(client, commit);
    return outcomes;
  } catch (error) {
    if (error instanceof UnitFailures) await client.query("rollback");
    throw error;
  }
}

/**
 * Writes in a Postgres database so that concurrent callers share a transaction: what is asked for while one is on its way is
 * the next, and nobody hears of a result before it is committed.
 *
 * When units fail, their batch is undone and done again without them, and they have transactions of their own after it. So
 * work may run more than once.
 */
export class PostgresGroupCommit {
  readonly #pool: pg.Pool;
  #waiting: Task[] = [];
  #isWriting = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Resolves with what the unit returns, once it is committed. Rejects with what it throws, once it is undone. */
  unit<Value>(begin: () => Unit<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const tell = (outcome: Outcome): void => {
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.value as Value);
      };
      this.#waiting.push({ begin, tell });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // Whoever comes in the same turn of the event loop comes along.
      setImmediate(() => void this.#proceed());
    });
  }

  async #proceed(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, largestBatch));
    this.#isWriting = false;
  }

  async #write(batch: readonly Task[]): Promise<void> {
    let tasks = batch;
    const apart: Task[] = [];
    for (let attempt = 1; tasks.length > 0; attempt++) {
      const causes = await this.#attempt(tasks);
      if (!causes) break;
      const [cause] = causes.values();
      if (isPassing(cause) && attempt < attempts) continue;
      if (tasks.length === 1) {
        tasks[0]!.tell({ error: asError(cause) });
        break;
      }
      // Where there are ever more of them, each goes alone.
      const isLast = attempt >= attempts;
      apart.push(...tasks.filter((_, place) => isLast || causes.has(place)));
      tasks = isLast ? [] : tasks.filter((_, place) => !causes.has(place));
    }
    for (const task of apart) await this.#write([task]);
  }

  /** Tells everybody what came of it, or answers why units failed: then nothing is written and nobody knows yet. */
  async #attempt(tasks: readonly Task[]): Promise<ReadonlyMap<number, unknown> | null> {
    try {
      const units = tasks.map(({ begin }) => begin());
      const outcomes = await withConnection(this.#pool, (client) => transaction(client, units));
      for (const [place, task] of tasks.entries()) task.tell(outcomes[place]!);
    } catch (error) {
      if (error instanceof UnitFailures) return error.causes;
      // The commit itself was refused.
      if (error instanceof StatementFailure) return new Map(tasks.map((_, place) => [place, error.cause]));
      for (const task of tasks) task.tell({ error: asError(error) });
    }
    return null;
  }
}
