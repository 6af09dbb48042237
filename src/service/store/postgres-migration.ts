import pg from "pg";
import { postgresMigrations as migrations } from "./migrations.ts";
import { connectionSettings, databaseFault } from "./postgres-pool.ts";

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
    throw new Error(`The database of DATABASE_URL cannot be used: ${databaseFault(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
