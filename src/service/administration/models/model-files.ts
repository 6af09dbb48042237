import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** The files of a model's folder, by their absolute paths. */
export class ModelFiles {
  readonly #files: readonly string[];
  readonly #folders: readonly string[];

  constructor(files: readonly string[], folders: readonly string[]) {
    this.#files = files;
    this.#folders = folders;
  }

  /**
   * The file whose name matches; null if there is none. Of several, the one with eight-bit weights: it is smaller and faster, and
   * hardly less accurate.
   */
  file(pattern: RegExp): string | null {
    const matching = this.files(pattern);
    return matching.find((file) => file.includes(".int8.")) ?? matching[0] ?? null;
  }

  /** All files whose names match, sorted. */
  files(pattern: RegExp): string[] {
    return this.#files.filter((file) => pattern.test(basename(file)));
  }

  /** The folder of that name; null if there is none. */
  folder(name: string): string | null {
    return this.#folders.find((folder) => basename(folder) === name) ?? null;
  }
}

/** Data of eSpeak NG, test recordings and files that macOS adds to archives do not belong to a model. */
const otherFolders = new Set(["espeak-ng-data", "test_wavs", "__MACOSX"]);

/** Lists the files of a model's folder and of the folders in it. */
export async function listModelFiles(folder: string): Promise<ModelFiles> {
  const files: string[] = [];
  const folders: string[] = [];
  async function visit(at: string, depth: number): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(at, entry.name);
      if (entry.isFile() && !entry.name.startsWith("._")) files.push(path);
      if (!entry.isDirectory()) continue;
      folders.push(path);
      if (depth < 3 && !otherFolders.has(entry.name)) await visit(path, depth + 1);
    }
  }
  await visit(folder, 0);
  return new ModelFiles(files, folders);
}
