import { existsSync, renameSync, rmSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

/** The folders of this run, for what takes long to make (see run-folders.ts). Undefined outside of a run of tests. */
export const runFolders: { built?: string; shared?: string } = {};

/**
 * Makes a folder once for all processes of a run. `make` fills a new folder at the path that it is given. Two processes that
 * begin at once both make it, and one result is used.
 */
export async function madeOnce(
  parent: string,
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(parent, name.replaceAll(/[^a-z0-9]+/gi, "-"));
  if (existsSync(folder)) return folder;
  const own = join(parent, randomUUID());
  await make(own);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}
