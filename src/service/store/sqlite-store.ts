import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql, SqliteDialect } from "kysely";
import Database from "libsql";
import { apiKeyRows } from "./api-key-rows.ts";
import { catalogueRows } from "./catalogue-rows.ts";
import { contextRows } from "./context-rows.ts";
import { eventRows } from "./event-rows.ts";
import { migrations } from "./migrations.ts";
import { organizationRows } from "./organization-rows.ts";
import { sessionRows } from "./session-rows.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

function migrate(database: Database.Database): void {
  const [row] = database.prepare("pragma user_version").all() as { user_version: number }[];
  const done = row?.user_version ?? 0;
  if (done > migrations.length)
    throw new Error(
      `The store is at step ${done} and this version knows ${migrations.length}; use a newer version.`,
    );
  for (const [index, step] of migrations.entries()) {
    if (index < done) continue;
    database.exec(`begin immediate;${step};pragma user_version = ${index + 1};commit;`);
  }
}

/**
 * The store in a folder: one SQLite file with a write-ahead log. Makes the folder and the tables where they are not there
 * yet. Throws when the file was written by a newer version.
 */
export function openSqliteStore(folder: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new Database(join(folder, "visavis.db"));
  database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;");
  database.exec("pragma busy_timeout = 5000;");
  migrate(database);
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  return {
    organizations: organizationRows(kysely),
    apiKeys: apiKeyRows(kysely),
    catalogue: catalogueRows(kysely),
    contexts: contextRows(kysely),
    sessions: sessionRows(kysely),
    events: eventRows(kysely),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
}
