import pg from "pg";
import type { Answer, Query, Unit } from "./queries.ts";

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
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error));
}

/**
 * Whether a statement failed only because an earlier one in its transaction had failed: in_failed_sql_transaction, or
 * invalid_sql_statement_name, because preparing the statement had been refused for that reason.
 */
export function isAborted(error: unknown): boolean {
  return ["25P02", "26000"].includes(String(codeOf(error)));
}

/** Postgres does not store NUL in a text: it becomes U+FFFD, the replacement character. */
function storable(parameter: unknown): unknown {
  return typeof parameter === "string" && parameter.includes("\0")
    ? parameter.replaceAll("\0", "\ufffd")
    : parameter;
}

/** Sends a statement. On a connection it does not wait for the answers to earlier ones. */
export async function execute<Row>(
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
export async function runUnit<Value>(client: pg.PoolClient, unit: Unit<Value>): Promise<Value> {
  for (let step = unit.next(); ; step = unit.next(await execute(client, step.value)))
    if (step.done) return step.value;
}

/** Repeats work that failed with an error that may not occur again. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
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
export async function inTransaction<Result>(
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
