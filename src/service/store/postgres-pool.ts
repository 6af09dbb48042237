import pg from "pg";
import type { Logger } from "../../logging/logger.ts";

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
