import { sql } from "kysely";
import type pg from "pg";
import type { Logger } from "../../logging/logger.ts";
import { postgresFiles } from "./postgres-files.ts";
import { migratePostgres } from "./postgres-migration.ts";
import { openPool } from "./postgres-pool.ts";
import { postgresQueries } from "./postgres-queries.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import { queryBuilder } from "./query-builder.ts";
import { storeRows } from "./store-rows.ts";
import { sealCatalogue } from "./sealed-catalogue.ts";
import type { SecretBox } from "./secret-box.ts";
import type { FileStore, SealableStore } from "./store.ts";

/** A store in Postgres, with its files beside the rows. */
export interface PostgresStore {
  store: SealableStore;
  files: FileStore;
  /** The connections that both use. Closed with the store. */
  pool: pg.Pool;
}

/** Runs the work under a lock of the database. The lock ends with the connection that took it. */
async function alone<Result>(pool: pg.Pool, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let locked = false;
  try {
    // The holder may keep the lock longer than a query may take, so this asks again and again instead of waiting in a query.
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
        [`visavis ${name}`],
      );
      locked = rows[0]?.locked === true;
      if (locked) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await work();
  } finally {
    const unlocked =
      locked &&
      (await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [`visavis ${name}`]).then(
        () => true,
        () => false,
      ));
    client.release(!unlocked);
  }
}

/**
 * The store in a Postgres database (`postgres://…`). Creates missing tables. Throws when the
 * database does not answer or was written by a newer version.
 */
export async function openPostgresStore(url: string, log: Logger, box?: SecretBox): Promise<PostgresStore> {
  await migratePostgres(url);
  const pool = openPool(url, log);
  const queries = postgresQueries(pool);
  const kysely = queryBuilder("postgres", queries);
  const rows = storeRows(kysely, queries, box);
  /** Removes everything from the table that was overwritten. */
  const wipe = async (): Promise<void> => {
    await pool.query("vacuum full catalogue_entry");
  };
  const store: SealableStore = {
    ...rows,
    sessions: postgresSessions(queries, rows.sessions),
    seal: () =>
      box ? alone(pool, "seal", () => sealCatalogue(kysely, queries, box, wipe)) : Promise.resolve(0),
    alone: (name, work) => alone(pool, name, work),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: () => pool.end(),
  };
  return { store, files: postgresFiles(pool), pool };
}
