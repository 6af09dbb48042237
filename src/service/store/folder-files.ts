import { mkdirSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFileName } from "./file-name.ts";
import type { FileStore } from "./store.ts";

/** Files in a folder. A file appears whole or not at all. Names are of our own making; any other is refused. */
export function openFolderFiles(folder: string): FileStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async write(name, bytes) {
      if (!isFileName(name)) throw new Error("The file name holds characters that names may not hold.");
      const partial = join(folder, `${name}.part`);
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, join(folder, name));
    },
    async read(name) {
      if (!isFileName(name)) return null;
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
    },
  };
}
