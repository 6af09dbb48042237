import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import Database from "libsql";
import * as z from "zod";
import { startBackgroundCheckpoints } from "./background-checkpoints.ts";
import { sqliteMigrations as migrations } from "./migrations.ts";
import { queryBuilder } from "./query-builder.ts";
import { sqliteQueries } from "./sqlite-queries.ts";
import { storeRows } from "./store-rows.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { makePrivate, touchPrivate } from "./private-files.ts";
import { sealCatalogue } from "./sealed-catalogue.ts";
import type { SecretBox } from "./secret-box.ts";
import type { SealableStore } from "./store.ts";

const userVersionSchema = z.object({ user_version: z.number() });

function stepsDone(database: Database.Database): number {
  const [row] = database.prepare("pragma user_version").all();
  return userVersionSchema.parse(row).user_version;
}

/** Runs the migrations that are not done yet, all or none. Other processes that open the same file wait meanwhile. */
function migrate(database: Database.Database): void {
  database.exec("begin immediate");
  try {
    const done = stepsDone(database);
    if (done > migrations.length)
      throw new Error(
        `The store is at step ${done} and this version knows ${migrations.length}; use a newer version.`,
      );
    for (const step of migrations.slice(done)) database.exec(step);
    // A start that finds all of them done writes nothing.
    if (done < migrations.length) database.exec(`pragma user_version = ${migrations.length}`);
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    database.close();
    throw error;
  }
}

/** The connection that reads. Every write invalidates its cache, so the cache is small. */
function openReader(file: string): Database.Database {
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -8192;");
  return database;
}

/** A store in a file that other processes may write too. */
export interface SqliteStore extends SealableStore {
  /** Whether no other user of this machine can read its files. */
  isPrivate: boolean;
  /** A number that changes when another process has written, and only then. Throws if the database is busy. */
  foreignWrites(): number;
}

/**
 * Opens the store in a folder: one SQLite file with a write-ahead log. Creates the folder and the tables if needed, and
 * makes them readable by their owner only. Throws if the file was written by a newer version.
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
  // GroupCommit waits for other processes without blocking. The write-ahead log is moved in the background; a commit moves
  // it only if that falls far behind.
  database.exec("pragma busy_timeout = 0; pragma wal_autocheckpoint = 131072;");
  const queries = sqliteQueries(database, openReader(file));
  const checkpoints = startBackgroundCheckpoints(file, (work) => queries.pauseFor(work));
  const kysely = queryBuilder("sqlite", queries);
  /** Removes overwritten data from the files. */
  const wipe = (): Promise<void> =>
    queries.pauseFor(async () => {
      database.exec("pragma busy_timeout = 5000; vacuum; pragma wal_checkpoint(truncate);");
      database.exec("pragma busy_timeout = 0;");
      return Promise.resolve();
    });
  const works = new KeyedQueue();
  const isPrivate = [folder, file, `${file}-wal`, `${file}-shm`].map(makePrivate).every(Boolean);
  return {
    ...storeRows(kysely, queries, box),
    isPrivate,
    seal: () =>
      box ? works.run("seal", () => sealCatalogue(kysely, queries, box, wipe)) : Promise.resolve(0),
    foreignWrites: () => queries.foreignWrites(),
    alone: (name, work) => works.run(name, work),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await checkpoints.stop();
      queries.close();
    },
  };
}
