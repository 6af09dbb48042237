import { mkdirSync, readdirSync } from "node:fs";
import { readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { storageError } from "../../faults/storage-error.ts";
import { isFileName } from "./file-store.ts";
import { makePrivate } from "./private-files.ts";
import type { FileStore } from "../store.ts";

/** Null if the file does not exist. */
async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Files in a folder. A file is written completely or not at all. Names that the service does not use are refused. */
export function openFolderFiles(folder: string): FileStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of [".", ...readdirSync(folder)]) makePrivate(join(folder, name));
  return {
    async write(name, bytes) {
      if (!isFileName(name)) throw new Error("The file name contains characters that are not allowed.");
      const partial = join(folder, `${name}.part`);
      try {
        await writeFile(partial, bytes, { mode: 0o600 });
        await rename(partial, join(folder, name));
      } catch (error) {
        // A full disk must not keep partial files.
        await rm(partial, { force: true }).catch(() => undefined);
        throw storageError(error, folder);
      }
    },
    async read(name) {
      return isFileName(name) ? orNull(readFile(join(folder, name))) : null;
    },
    async size(name) {
      return isFileName(name) ? ((await orNull(stat(join(folder, name))))?.size ?? null) : null;
    },
    async remove(name) {
      if (isFileName(name)) await orNull(unlink(join(folder, name)));
    },
  };
}
