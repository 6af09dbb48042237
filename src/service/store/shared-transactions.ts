import type pg from "pg";
import { Batches } from "./batches.ts";
import type { Task } from "./batches.ts";
import {
  execute,
  inTransaction,
  isAborted,
  isTransient,
  runUnit,
  withRetries,
} from "./postgres-transaction.ts";
import type { SharedRows, Unit } from "./queries.ts";

interface SharedUnit {
  begin: () => Unit<unknown>;
  rows: SharedRows;
}

type UnitTask = Task<SharedUnit, unknown>;

/** Units failed, so their transaction must be rolled back. */
class UnitsFailed extends Error {
  override readonly name = "UnitsFailed";
  /** The units that failed by themselves. The others failed or would be lost with them. */
  readonly units: ReadonlySet<UnitTask>;

  constructor(units: ReadonlySet<UnitTask>) {
    super("Units of a shared transaction failed.");
    this.units = units;
  }
}

function bySession({ item: { rows: one } }: UnitTask, { item: { rows: other } }: UnitTask): number {
  const [first = "", second = ""] = [one.session, other.session];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Locks organizations in the order of their ids. */
async function lockOrganizations(client: pg.PoolClient, tasks: readonly UnitTask[]): Promise<void> {
  const ids = [...new Set(tasks.flatMap(({ item: { rows } }) => rows.organization ?? []))];
  if (ids.length === 0) return;
  const sql = "select id from organization where id = any($1) order by id for no key update";
  await execute(client, { name: "lock_organizations", sql, parameters: [ids] });
}

/** The results of units. Throws UnitsFailed, or the error of the transaction if no unit is the cause. */
function resultsOf(
  tasks: readonly UnitTask[],
  outcomes: readonly PromiseSettledResult<unknown>[],
  lock: PromiseSettledResult<unknown>,
): Map<UnitTask, unknown> {
  const results = new Map<UnitTask, unknown>();
  const failed = new Set<UnitTask>();
  for (const outcome of [lock, ...outcomes])
    if (outcome.status === "rejected" && isTransient(outcome.reason)) throw outcome.reason;
  if (lock.status === "rejected" && !isAborted(lock.reason)) throw lock.reason;
  for (const [index, task] of tasks.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === "fulfilled") results.set(task, outcome.value);
    else if (!isAborted(outcome?.reason)) failed.add(task);
  }
  if (failed.size > 0) throw new UnitsFailed(failed);
  return results;
}

/**
 * Runs units side by side in one transaction. The statements of all units are in flight at the same time, and the server runs
 * them in the order in which they were sent: first the updates of sessions, then the locks of organizations, then the rest.
 */
async function runTogether(
  client: pg.PoolClient,
  tasks: readonly UnitTask[],
): Promise<Map<UnitTask, unknown>> {
  const run = ({ item }: UnitTask): Promise<unknown> => runUnit(client, item.begin());
  const withSession = tasks.filter(({ item }) => item.rows.session !== undefined).sort(bySession);
  const withoutSession = tasks.filter(({ item }) => item.rows.session === undefined);
  const first = withSession.map(run);
  const locking = lockOrganizations(client, tasks);
  const rest = withoutSession.map(run);
  // Waits for every answer, because what a unit sends after a rollback would be outside of the transaction.
  const [lock, ...outcomes] = await Promise.allSettled([locking, ...first, ...rest]);
  return resultsOf([...withSession, ...withoutSession], outcomes, lock);
}

/** Runs a unit in a transaction of its own. */
export function runAlone<Value>(pool: pg.Pool, begin: () => Unit<Value>): Promise<Value> {
  return withRetries(() => inTransaction(pool, (client) => runUnit(client, begin())));
}

async function runAllAlone(pool: pg.Pool, tasks: Iterable<UnitTask>): Promise<void> {
  for (const task of tasks) await runAlone(pool, task.item.begin).then(task.resolve, task.reject);
}

async function runBatch(pool: pg.Pool, tasks: readonly UnitTask[]): Promise<void> {
  if (tasks.length === 1) return runAllAlone(pool, tasks);
  try {
    const results = await withRetries(() => inTransaction(pool, (client) => runTogether(client, tasks)));
    for (const task of tasks) task.resolve(results.get(task));
  } catch (error) {
    if (!(error instanceof UnitsFailed)) throw error;
    await runBatch(
      pool,
      tasks.filter((task) => !error.units.has(task)),
    );
    await runAllAlone(pool, error.units);
  }
}

/**
 * Transactions that concurrent units share. Without them, each creation of a session and each minute bought would hold the
 * lock of its organization's row for several round trips, and only a few hundred a second would fit in.
 *
 * When units fail, their transaction is rolled back and repeated without them; each of them then runs alone.
 */
export function sharedTransactions(pool: pg.Pool): Batches<SharedUnit, unknown> {
  return new Batches((tasks) => runBatch(pool, tasks));
}
