import pg from "pg";
import {
  type Answer,
  Batches,
  type Queries,
  type Query,
  type SharedRows,
  type Task,
  type Unit,
} from "./queries.ts";

/** If this process hangs in a transaction, the server ends the transaction, so that its locks do not block others. */
const begin = "begin; set local idle_in_transaction_session_timeout = 5000";

/** The table has changed since the statement was prepared (feature_not_supported). A new connection prepares it again. */
const stalePlan = "0A000";

/** Errors that may not occur again: stale plans, serialization_failure and deadlock_detected. */
const transientCodes: ReadonlySet<unknown> = new Set([stalePlan, "40001", "40P01"]);

/** Each attempt on a stale plan closes one connection, and a pool has ten. */
const maxAttempts = 12;

function codeOf(error: unknown): unknown {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the same statements may succeed in another attempt. */
function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error));
}

/**
 * Whether a statement failed only because an earlier one in its transaction had failed: in_failed_sql_transaction, or
 * invalid_sql_statement_name, because preparing the statement had been refused for that reason.
 */
function isAborted(error: unknown): boolean {
  return ["25P02", "26000"].includes(String(codeOf(error)));
}

/** Postgres does not store NUL in a text: it becomes U+FFFD, the replacement character. */
function storable(parameter: unknown): unknown {
  return typeof parameter === "string" && parameter.includes("\0")
    ? parameter.replaceAll("\0", "\ufffd")
    : parameter;
}

/** Sends a statement. On a connection it does not wait for the answers to earlier ones. */
async function execute<Row>(
  connection: pg.Pool | pg.PoolClient,
  { name, sql, parameters }: Query<Row>,
): Promise<Answer<Row>> {
  const values = parameters.map(storable);
  const { rows, rowCount } = await connection.query(
    name === undefined ? { text: sql, values } : { name, text: sql, values },
  );
  // eslint-disable-next-line no-restricted-syntax -- the query names its columns and their type
  return { rows: rows as Row[], changed: rowCount ?? 0 };
}

/** Runs the statements of a unit one after another. */
async function runUnit<Value>(client: pg.PoolClient, unit: Unit<Value>): Promise<Value> {
  for (let step = unit.next(); ; step = unit.next(await execute(client, step.value)))
    if (step.done) return step.value;
}

/** Repeats work that failed with an error that may not occur again. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isTransient(error)) throw error;
    }
  }
}

/**
 * Runs work in a transaction and commits it, or rolls it back and throws the work's error. The work must not reject while
 * any of its statements has no answer yet: what it sends later would not belong to the transaction.
 */
async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const [, result] = await Promise.all([client.query(begin), work(client)]);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    try {
      await client.query("rollback");
    } catch (connectionError) {
      client.release(true);
      throw connectionError;
    }
    client.release(codeOf(error) === stalePlan);
    throw error;
  }
}

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
function runAlone<Value>(pool: pg.Pool, begin: () => Unit<Value>): Promise<Value> {
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
function sharedTransactions(pool: pg.Pool): Batches<SharedUnit, unknown> {
  return new Batches((tasks) => runBatch(pool, tasks));
}

/** Queries on the connections of a pool. */
export function postgresQueries(pool: pg.Pool): Queries {
  const transactions = sharedTransactions(pool);
  return {
    run: (query) => withRetries(() => execute(pool, query)),
    unit: <Value>(begin: () => Unit<Value>, rows?: Parameters<Queries["unit"]>[1]) =>
      // eslint-disable-next-line no-restricted-syntax -- one batch holds units with different results
      rows ? (transactions.add({ begin, rows }) as Promise<Value>) : runAlone(pool, begin),
  };
}
