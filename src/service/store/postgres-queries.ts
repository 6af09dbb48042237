import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Answer, Queries, Query, Unit } from "./queries.ts";

async function execute<Row>(
  client: PostgresPoolClient,
  { sql, parameters }: Query<Row>,
): Promise<Answer<Row>> {
  const { rows, rowCount } = await client.query<Row>(sql, parameters);
  return { rows, changed: rowCount };
}

async function finish<Value>(client: PostgresPoolClient, unit: Unit<Value>): Promise<Value> {
  for (let step = unit.next(); ; step = unit.next(await execute(client, step.value)))
    if (step.done) return step.value;
}

/** Queries on the connections of a pool; each unit is a transaction on one of them. */
export function postgresQueries(pool: PostgresPool): Queries {
  async function lent<Value>(work: (client: PostgresPoolClient) => Promise<Value>): Promise<Value> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  return {
    run: (query) => lent((client) => execute(client, query)),
    unit: (begin) =>
      lent(async (client) => {
        await client.query("begin", []);
        try {
          const value = await finish(client, begin());
          await client.query("commit", []);
          return value;
        } catch (error) {
          // Where the connection is gone, the database has undone it already.
          await client.query("rollback", []).catch(() => undefined);
          throw error;
        }
      }),
  };
}
