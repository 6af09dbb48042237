import { join } from "node:path";
import type { Log } from "../log.ts";
import type { SessionNotices } from "../sessions/session-notices.ts";
import { openFolderFiles } from "./folder-files.ts";
import { openSqliteNotices } from "./sqlite-notices.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { SecretBox } from "./secret-box.ts";
import type { FileStore, SealableStore, Store } from "./store.ts";

/** Where things are kept. */
export interface StoragePlace {
  dataFolder: string;
  /** `postgres://…`; undefined: rows and files lie in the data folder. */
  databaseUrl: string | undefined;
  /** Encrypts what a stolen database must not tell. Undefined: nothing is encrypted. */
  box?: SecretBox | undefined;
}

/** Everything a service keeps, and how its processes hear of each other. */
export interface Storage {
  store: Store;
  files: FileStore;
  notices: SessionNotices;
  close(): Promise<void>;
}

/** Encrypts what is not encrypted yet. Closes the store where its secret is another one. */
async function sealed(store: SealableStore, log: Log): Promise<void> {
  try {
    const entries = await store.seal();
    if (entries > 0) log.info("private settings were encrypted", { entries });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store of a place. Throws where it cannot be used. */
export async function openStorage(
  { dataFolder, databaseUrl, box }: StoragePlace,
  log: Log,
): Promise<Storage> {
  if (databaseUrl === undefined) {
    const store = openSqliteStore(dataFolder, box);
    await sealed(store, log);
    if (!store.isPrivate)
      log.warn(
        "other users of this machine can read the data folder; take it from them, or set VISAVIS_DATA to a folder of its own",
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
  // The driver takes 16 MB, which only those pay who use it.
  const { openPostgresStore } = await import("./postgres-store.ts");
  const { openPostgresNotices } = await import("./postgres-notices.ts");
  const { store, files, pool } = await openPostgresStore(databaseUrl, log, box);
  await sealed(store, log);
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
