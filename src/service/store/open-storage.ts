import { join } from "node:path";
import type { Logger } from "../../logging/logger.ts";
import type { SessionNotices } from "../sessions/life/session-notices.ts";
import { openFolderFiles } from "./files/folder-files.ts";
import { openSqliteNotices } from "./processes/sqlite-notices.ts";
import { openSqliteStore } from "./database/sqlite-store.ts";
import type { SecretBox } from "./secrets/secret-box.ts";
import type { FileStore, SealableStore, Store } from "./store.ts";

/** Where data is stored. */
export interface StoragePlace {
  dataFolder: string;
  /** `postgres://…`. Undefined: rows and files are in the data folder. */
  databaseUrl: string | undefined;
  /** Encrypts private settings. Undefined: nothing is encrypted. */
  box?: SecretBox | undefined;
}

/** Everything that a service stores, and the notices between its processes. */
export interface Storage {
  store: Store;
  files: FileStore;
  notices: SessionNotices;
  close(): Promise<void>;
}

/** Encrypts what is not encrypted yet. Closes the store if that fails. */
async function seal(store: SealableStore, log: Logger): Promise<void> {
  try {
    const entries = await store.seal();
    if (entries > 0) log.info("private settings were encrypted", { entries });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the storage at a place. Throws if it cannot be used. */
export async function openStorage(
  { dataFolder, databaseUrl, box }: StoragePlace,
  log: Logger,
): Promise<Storage> {
  if (databaseUrl === undefined) {
    const store = openSqliteStore(dataFolder, box);
    await seal(store, log);
    if (!store.isPrivate)
      log.warn(
        "other users of this machine can read the data folder; change its permissions, or set VISAVIS_DATA to a private folder",
      );
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
  // Loaded only when needed: the driver takes 16 MB.
  const { openPostgresStore } = await import("./database/postgres-store.ts");
  const { openPostgresNotices } = await import("./processes/postgres-notices.ts");
  const { store, files, pool } = await openPostgresStore(databaseUrl, log, box);
  await seal(store, log);
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
