import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Log } from "../log.ts";

/** A database that does not take a connection within this time is down. */
const connectWithinMs = 3_000;
/** No query of ours takes long: what does not answer within this time does not answer at all. */
const answerWithinMs = 10_000;

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** 64-bit integers: our times and counts are far below 2^53, so numbers hold them. Sums of them come as numeric. */
const numberTypes: ReadonlySet<TypeId> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: TypeId, format?: "text" | "binary") =>
    numberTypes.has(oid) && format !== "binary"
      ? Number
      : (pg.types.getTypeParser(oid, format) as unknown)) as pg.CustomTypesConfig["getTypeParser"],
};

/** How we connect to a database: shared by the pool and by the connections that stand alone. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "visavis",
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    types,
  };
}

/** Why a database cannot be used, in words: several addresses that refuse are one error without a message. */
export function databaseFault(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return databaseFault(error.errors[0]);
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

/**
 * Connections to a Postgres database. One that breaks is replaced; the log has one warning for each time the database
 * goes away. Queries reject while it is away.
 */
export function openPool(url: string, log: Log): pg.Pool {
  const pool = new pg.Pool({ ...connectionSettings(url), query_timeout: answerWithinMs });
  let away = false;
  const warnOnce = (error: Error): void => {
    if (!away) log.warn("database connection lost", { error: databaseFault(error) });
    away = true;
  };
  pool.on("error", warnOnce);
  pool.on("connect", (client) => {
    away = false;
    // A connection that breaks while it is lent out tells it here too, and nobody listening would end the process.
    client.on("error", warnOnce);
  });
  return pool;
}

/** Postgres keeps no NUL in a text. It becomes the mark of what cannot be shown, as lone surrogates do. */
function keepable(parameter: unknown): unknown {
  return typeof parameter === "string" && parameter.includes("\0")
    ? parameter.replaceAll("\0", "\ufffd")
    : parameter;
}

/** A lent connection. It goes back to the pool only while the server answers on it. */
function lent(client: pg.PoolClient): PostgresPoolClient {
  let broken = false;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(sql, parameters.map(keepable));
    } catch (error) {
      // What the server refused it answered; anything else leaves the connection in a state that nobody knows.
      broken ||= !(error instanceof pg.DatabaseError);
      throw error;
    }
  };
  return { query: query as PostgresPoolClient["query"], release: () => client.release(broken) };
}

/** The pool as the query builder takes it. Whoever opened the pool ends it. */
export function queryPool(pool: pg.Pool): PostgresPool {
  return { connect: async () => lent(await pool.connect()), end: () => Promise.resolve() };
}
