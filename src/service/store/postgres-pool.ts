import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Log } from "../log.ts";
import { UnitFailures } from "./lock-step.ts";
import { parameterText, valueTypes } from "./postgres-values.ts";
import { StatementFailure } from "./statement-failure.ts";

/** A database that does not take a connection within this time is down. */
const connectWithinMs = 3_000;
/** No query of ours takes long: what does not answer within this time does not answer at all. */
const answerWithinMs = 10_000;

/** How we connect to a database: shared by the pool and by the connections that stand alone. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "visavis",
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    types: valueTypes,
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

/** What the server refused it answered; any other error leaves the connection in a state that nobody knows. */
function isRefusal(error: unknown): boolean {
  return [pg.DatabaseError, StatementFailure, UnitFailures].some((kind) => error instanceof kind);
}

/** Lends a connection to work. It goes back to the pool only while the server answers on it. */
export async function withConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isSound = true;
  try {
    return await work(client);
  } catch (error) {
    isSound = isRefusal(error);
    throw error;
  } finally {
    client.release(!isSound);
  }
}

/** A lent connection as the query builder takes it. */
function lent(client: pg.PoolClient): PostgresPoolClient {
  let isSound = true;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(sql, parameters.map(parameterText));
    } catch (error) {
      isSound &&= isRefusal(error);
      throw error;
    }
  };
  return { query: query as PostgresPoolClient["query"], release: () => client.release(!isSound) };
}

/** The pool as the query builder takes it. Whoever opened the pool ends it. */
export function queryPool(pool: pg.Pool): PostgresPool {
  return { connect: async () => lent(await pool.connect()), end: () => Promise.resolve() };
}
