import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import Database from "libsql";
import { startBackgroundCheckpoints } from "./background-checkpoints.ts";
import { sqliteMigrations as migrations } from "./migrations.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteQueries } from "./sqlite-queries.ts";
import { storeRows } from "./store-rows.ts";
import { makePrivate, touchPrivate } from "./private-files.ts";
import { sealCatalogue } from "./sealed-catalogue.ts";
import type { SecretBox } from "./secret-box.ts";
import type { SealableStore } from "./store.ts";
import type { Tables } from "./tables.ts";
import { Turns } from "./turns.ts";

function stepsDone(database: Database.Database): number {
  const [row] = database.prepare("pragma user_version").all() as { user_version: number }[];
  return row?.user_version ?? 0;
}

/** Does the steps that are left, all or none. Another process that opens the same file waits meanwhile. */
function migrate(database: Database.Database): void {
  database.exec("begin immediate");
  try {
    const done = stepsDone(database);
    if (done > migrations.length)
      throw new Error(
        `The store is at step ${done} and this version knows ${migrations.length}; use a newer version.`,
      );
    for (const step of migrations.slice(done)) database.exec(step);
    database.exec(`pragma user_version = ${migrations.length}; commit;`);
  } catch (error) {
    database.exec("rollback");
    database.close();
    throw error;
  }
}

/** The connection that reads. What it has read it forgets whenever something was written, so it keeps less. */
function openReader(file: string): Database.Database {
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -8192;");
  return database;
}

/** A store in a file that other processes may write too. */
export interface SqliteStore extends SealableStore {
  /** Whether nobody else on this machine can read its files. */
  isPrivate: boolean;
  /** A number that changes whenever another process wrote, and only then. Throws where the database is busy. */
  foreignWrites(): number;
}

/**
 * The store in a folder: one SQLite file with a write-ahead log. Makes the folder and the tables where they are not there
 * yet, and takes them from everybody but their owner. Throws when the file was written by a newer version.
 */
export function openSqliteStore(folder: string, box?: SecretBox): SqliteStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "visavis.db");
  touchPrivate(file);
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000; pragma journal_mode = wal;");
  database.exec("pragma synchronous = normal; pragma foreign_keys = on;");
  migrate(database);
  // 32 MB at most: the rows of 20,000 live sessions and the ends of the indexes stay in memory.
  database.exec("pragma cache_size = -32768;");
  // The group commit waits for other processes without blocking. The log is moved in the background; a commit does it only
  // where that falls far behind.
  database.exec("pragma busy_timeout = 0; pragma wal_autocheckpoint = 131072;");
  const queries = sqliteQueries(database, openReader(file));
  const checkpoints = startBackgroundCheckpoints(file, (work) => queries.rest(work));
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(queries) });
  /** Leaves nothing in the files of what was overwritten. */
  const wipe = (): Promise<void> =>
    queries.rest(async () => {
      database.exec("pragma busy_timeout = 5000; vacuum; pragma wal_checkpoint(truncate);");
      database.exec("pragma busy_timeout = 0;");
      return Promise.resolve();
    });
  const turns = new Turns();
  const isPrivate = [folder, file, `${file}-wal`, `${file}-shm`].map(makePrivate).every(Boolean);
  return {
    ...storeRows(kysely, queries, box),
    isPrivate,
    seal: () =>
      box ? turns.take("seal", () => sealCatalogue(kysely, queries, box, wipe)) : Promise.resolve(0),
    foreignWrites: () => queries.foreignWrites(),
    alone: (name, work) => turns.take(name, work),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await checkpoints.stop();
      queries.close();
    },
  };
}
