import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import Database from "libsql";
import * as z from "zod";
import { storageError, tryFolder } from "../../faults/storage-error.ts";
import { asError, sqliteQueries } from "./sqlite-queries.ts";
import { startBackgroundCheckpoints } from "./background-checkpoints.ts";
import { sqliteMigrations as migrations } from "../migrations/migrations.ts";
import { queryBuilder } from "./query-builder.ts";
import { storeRows } from "../store-rows.ts";
import { makePrivate, touchPrivate } from "../files/private-files.ts";
import { sealCatalogue } from "../secrets/sealed-catalogue.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { SealableStore } from "../store.ts";

/** Runs work of the same name one after another, within this process. */
class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when all earlier work of that name has ended, successfully or not. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, running);
    const forget = (): void => {
      if (this.#last.get(name) === running) this.#last.delete(name);
    };
    running.then(forget, forget);
    return running;
  }
}

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
interface SqliteStore extends SealableStore {
  /** Whether no other user of this machine can read its files. */
  isPrivate: boolean;
  /** A number that changes when another process has written, and only then. Throws if the database is busy. */
  foreignWrites(): number;
}

/** The connection that writes, to a file with a write-ahead log and all tables. */
function openWriter(folder: string, file: string): Database.Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  touchPrivate(file);
  const database = new Database(file);
  database.exec("pragma busy_timeout = 5000; pragma journal_mode = wal;");
  database.exec("pragma synchronous = normal; pragma foreign_keys = on;");
  // What is removed is overwritten: otherwise its words stay in the file.
  database.exec("pragma secure_delete = on;");
  migrate(database);
  // 32 MB at most: the rows of 20,000 live sessions and the ends of the indexes stay in memory.
  database.exec("pragma cache_size = -32768;");
  // GroupCommit waits for other processes without blocking. The write-ahead log is moved in the background; a commit moves
  // it only if that falls far behind.
  database.exec("pragma busy_timeout = 0; pragma wal_autocheckpoint = 131072;");
  return database;
}

/** The same; if the folder takes no more data, the error says so: SQLite only says that it cannot open the file. */
function openInFolder(folder: string, file: string): Database.Database {
  try {
    return openWriter(folder, file);
  } catch (error) {
    if (existsSync(folder)) tryFolder(folder);
    throw error;
  }
}

/** How long the answer to "can it store anything" counts: everybody may ask. */
const triedForMs = 1_000;

/**
 * Opens the store in a folder: one SQLite file with a write-ahead log. Creates the folder and the tables if needed, and
 * makes them readable by their owner only. Throws if the file was written by a newer version, and StorageError if the folder
 * takes no data.
 */
export function openSqliteStore(folder: string, box?: SecretBox): SqliteStore {
  const file = join(folder, "visavis.db");
  const database = openInFolder(folder, file);
  const toError = (thrown: unknown): Error => asError(storageError(thrown, folder));
  const queries = sqliteQueries(database, openReader(file), toError);
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
  let triedAtMs = -Infinity;
  const isPrivate = [folder, file, `${file}-wal`, `${file}-shm`].map(makePrivate).every(Boolean);
  return {
    ...storeRows(kysely, queries, box),
    isPrivate,
    seal: () =>
      box ? works.run("seal", () => sealCatalogue(kysely, queries, box, wipe)) : Promise.resolve(0),
    foreignWrites: () => queries.foreignWrites(),
    alone: (name, work) => works.run(name, work),
    async forget() {
      let isDone = false;
      await queries.pauseFor(async () => void (isDone = await checkpoints.truncate()));
      return isDone;
    },
    ping: async () => {
      await sql`select 1`.execute(kysely);
      if (performance.now() - triedAtMs < triedForMs) return;
      tryFolder(folder);
      triedAtMs = performance.now();
    },
    async close() {
      await checkpoints.stop();
      queries.close();
    },
  };
}
