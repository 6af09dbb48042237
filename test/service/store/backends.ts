import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { openPostgresStore } from "../../../src/service/store/database/postgres-store.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { FileStore, Store } from "../../../src/service/store/store.ts";
import { silentLog, temporaryFolder } from "../service-fixture.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "./postgres-server.ts";
import { writeEmptyStore } from "./seeded-store.ts";

export interface OpenedStore {
  store: Store;
  files: FileStore;
}

/** Opens a store at a place: a folder or a database. A new place has the tables already: to make them takes longer than most tests. */
export interface Backend {
  name: string;
  isThere: boolean;
  newPlace(): string | Promise<string>;
  open(place: string): OpenedStore | Promise<OpenedStore>;
}

let server: PostgresServer | undefined;

async function folderWithStore(): Promise<string> {
  const folder = temporaryFolder();
  await writeEmptyStore(folder);
  return folder;
}

/** Both databases. The test file that calls this starts the server of Postgres, and stops it at its end. */
export function storeBackends(): Backend[] {
  beforeAll(async () => {
    if (hasPostgres) server = await startPostgres();
  });
  afterAll(() => server?.remove());
  return [
    {
      name: "SQLite",
      isThere: true,
      newPlace: folderWithStore,
      open: (folder) => ({ store: openSqliteStore(folder), files: openFolderFiles(join(folder, "files")) }),
    },
    {
      name: "Postgres",
      isThere: hasPostgres,
      newPlace: () => server!.newStore(),
      open: (url) => openPostgresStore(url, silentLog),
    },
  ];
}
