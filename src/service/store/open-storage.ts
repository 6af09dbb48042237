import { join } from "node:path";
import type { Log } from "../log.ts";
import type { SessionNotices } from "../sessions/session-notices.ts";
import { openFolderFiles } from "./folder-files.ts";
import { openSqliteNotices } from "./sqlite-notices.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { FileStore, Store } from "./store.ts";

/** Where things are kept. */
export interface StoragePlace {
  dataFolder: string;
  /** `postgres://…`; undefined: rows and files lie in the data folder. */
  databaseUrl: string | undefined;
}

/** Everything a service keeps, and how its processes hear of each other. */
export interface Storage {
  store: Store;
  files: FileStore;
  notices: SessionNotices;
  close(): Promise<void>;
}

/** Opens the store of a place. Throws where it cannot be used. */
export async function openStorage({ dataFolder, databaseUrl }: StoragePlace, log: Log): Promise<Storage> {
  if (databaseUrl === undefined) {
    const store = openSqliteStore(dataFolder);
    const files = openFolderFiles(join(dataFolder, "files"));
    const notices = openSqliteNotices(() => store.foreignWrites());
    return {
      store,
      files,
      notices,
      close() {
        notices.close();
        return store.close();
      },
    };
  }
  // The driver takes 16 MB, which only those pay who use it.
  const { openPostgresStore } = await import("./postgres-store.ts");
  const { openPostgresNotices } = await import("./postgres-notices.ts");
  const { store, files, pool } = await openPostgresStore(databaseUrl, log);
  const notices = await openPostgresNotices(databaseUrl, pool, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    store,
    files,
    notices,
    async close() {
      await notices.close();
      await store.close();
    },
  };
}
