import { mkdtempSync, rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { photoFileName } from "./photo-file.ts";
import type { FileStore } from "../store/store.ts";

/** How often it is checked which characters are still stored: a removed photograph must be gone soon. */
const checkIntervalMs = 60_000;

/**
 * Copies of stored photo characters on this machine, because media processes read characters from files and the store may be a
 * database. A stored character never changes, so a copy is good until the character is removed.
 */
export class PhotoCopies {
  readonly #files: Pick<FileStore, "read" | "size">;
  readonly #copied = new Set<string>();
  /** The copies that were removed since somebody asked. */
  #removed: string[] = [];
  #folder: string | undefined;
  #isWatching = false;

  constructor(files: Pick<FileStore, "read" | "size">) {
    this.#files = files;
  }

  /** Absolute path of the character; null if it is not stored any more. */
  async path(id: string): Promise<string | null> {
    const bytes = await this.#files.read(photoFileName(id, "character"));
    if (bytes === null) {
      await this.#remove(id);
      return null;
    }
    const copy = this.#copyOf(id);
    if (this.#copied.has(id)) return copy;
    // A concurrent reader sees the complete file or none.
    const unfinished = `${copy}.${performance.now()}`;
    await writeFile(unfinished, bytes, { mode: 0o600 });
    await rename(unfinished, copy);
    this.#copied.add(id);
    this.#watch();
    return copy;
  }

  /** Removes the copies of characters that are not stored any more. */
  async removeOrphans(): Promise<void> {
    for (const id of this.#copied)
      if ((await this.#files.size(photoFileName(id, "character"))) === null) await this.#remove(id);
  }

  /** Does that, and resolves with the paths of all copies that were removed since the last call. */
  async removed(): Promise<string[]> {
    await this.removeOrphans();
    const paths = this.#removed;
    this.#removed = [];
    return paths;
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    // A store that fails now is asked again a minute later.
    setInterval(() => void this.removeOrphans().catch(() => undefined), checkIntervalMs).unref();
  }

  async #remove(id: string): Promise<void> {
    if (!this.#copied.delete(id)) return;
    this.#removed.push(this.#copyOf(id));
    await rm(this.#copyOf(id), { force: true });
  }

  #copyOf(id: string): string {
    return join(this.#ownFolder(), `${id}.json`);
  }

  #ownFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    const folder = mkdtempSync(join(tmpdir(), "visavis-photos-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return (this.#folder = folder);
  }
}
