import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { photoFileName } from "./photo-file.ts";
import type { FileStore } from "./store/store.ts";

/**
 * Copies of stored photo characters on this machine, because media processes read characters from files and the store may be a
 * database. A stored character never changes, so a copy is good as long as this process runs.
 */
export class PhotoCopies {
  readonly #files: Pick<FileStore, "read">;
  #folder: string | undefined;

  constructor(files: Pick<FileStore, "read">) {
    this.#files = files;
  }

  /** Absolute path of the character; null if it is not stored any more. */
  async path(id: string): Promise<string | null> {
    const bytes = await this.#files.read(photoFileName(id, "character"));
    if (bytes === null) return null;
    const copy = join(this.#ownFolder(), `${id}.json`);
    if (existsSync(copy)) return copy;
    // A concurrent reader sees the complete file or none.
    const unfinished = `${copy}.${performance.now()}`;
    await writeFile(unfinished, bytes, { mode: 0o600 });
    await rename(unfinished, copy);
    return copy;
  }

  #ownFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    const folder = mkdtempSync(join(tmpdir(), "visavis-photos-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return (this.#folder = folder);
  }
}
