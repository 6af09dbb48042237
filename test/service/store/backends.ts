import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { openPostgresStore } from "../../../src/service/store/database/postgres-store.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { FileStore, Store } from "../../../src/service/store/store.ts";
import { silentLog, temporaryFolder } from "../service-fixture.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "./postgres-server.ts";

export interface OpenedStore {
  store: Store;
  files: FileStore;
}

/** Opens a store at a place: a folder or a database. */
export interface Backend {
  name: string;
  isThere: boolean;
  newPlace(): string | Promise<string>;
  open(place: string): OpenedStore | Promise<OpenedStore>;
}

let server: PostgresServer | undefined;

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
      newPlace: temporaryFolder,
      open: (folder) => ({ store: openSqliteStore(folder), files: openFolderFiles(join(folder, "files")) }),
    },
    {
      name: "Postgres",
      isThere: hasPostgres,
      newPlace: () => server!.newDatabase(),
      open: (url) => openPostgresStore(url, silentLog),
    },
  ];
}
