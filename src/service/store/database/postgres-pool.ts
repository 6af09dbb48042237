import pg from "pg";
import type { Logger } from "../../../logging/logger.ts";
import { StorageError, storageError, theDatabase } from "../../faults/storage-error.ts";
import { postgresMigrations as migrations } from "../migrations/migrations.ts";

/** A database that does not accept a connection within this time counts as down. */
const connectTimeoutMs = 3_000;
/** All our queries are short. A connection whose query takes longer than this is closed. */
const queryTimeoutMs = 10_000;

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** 64-bit integers, and their sums (numeric): our times and counts are far below 2^53, so they are read as numbers. */
const numberTypes: ReadonlySet<TypeId> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  // The driver's type has one overload for each format.
  // eslint-disable-next-line no-restricted-syntax -- see above
  getTypeParser: ((oid: TypeId, format?: "text" | "binary"): unknown =>
    numberTypes.has(oid) && format !== "binary"
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** Settings of every connection to a database, in the pool or on its own. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "visavis",
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
  };
}

/** Why a database cannot be used. If several addresses refuse, the driver's error has no message of its own. */
export function databaseFault(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return databaseFault(error.errors[0]);
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

/**
 * Opens a pool of connections to a Postgres database. The driver pipelines the queries of each connection. A broken
 * connection is replaced; while the database is down, queries reject, and the log gets one warning per outage.
 */
export function openPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url), query_timeout: queryTimeoutMs, pipeline: true });
  let isDown = false;
  const warnOnce = (error: Error): void => {
    if (!isDown) log.warn("database connection lost", { error: databaseFault(error) });
    isDown = true;
  };
  pool.on("error", warnOnce);
  pool.on("connect", (client) => {
    isDown = false;
    // Without a listener, an error of a connection in use would end the process.
    client.on("error", warnOnce);
  });
  return pool;
}

/** The name of the advisory lock. */
const lockName = "visavis migration";

async function runSteps(client: pg.Client): Promise<void> {
  await client.query("begin");
  // Held until the transaction ends: if several processes start at once, one migrates and the others wait.
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lockName]);
  await client.query("create table if not exists migration (steps_done bigint not null)");
  const { rows } = await client.query<{ steps_done: number }>("select steps_done from migration");
  const done = rows[0]?.steps_done ?? 0;
  if (done > migrations.length)
    throw new Error(
      `The store is at step ${done} and this version knows ${migrations.length}; use a newer version.`,
    );
  for (const step of migrations.slice(done)) await client.query(step);
  await client.query(
    rows.length === 0 ? "insert into migration values ($1)" : "update migration set steps_done = $1",
    [migrations.length],
  );
  await client.query("commit");
}

/**
 * Runs the migrations that are not done yet, all or none. Throws if the database does not answer or was written by a newer
 * version.
 */
export async function migratePostgres(url: string): Promise<void> {
  const client = new pg.Client(connectionSettings(url));
  // Queries reject with the same error; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await runSteps(client);
  } catch (error) {
    const known = storageError(error, theDatabase);
    if (known instanceof StorageError) throw known;
    throw new Error(`The database of DATABASE_URL cannot be used: ${databaseFault(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
