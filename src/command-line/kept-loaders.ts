import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loaderAddress } from "../protocol/loader-address.ts";
import { folderAssets } from "../relay/folder-assets.ts";
import type { RelayAssets } from "../relay/index.ts";

/** Folder of the loaders that this installation has had, under the data folder. */
const folderName = "loaders";

/**
 * The built files, and the loaders of earlier builds: pages that name a loader by its content go on working after an update.
 */
export function withKeptLoaders(assets: RelayAssets, dataFolder: string): RelayAssets {
  const kept = folderAssets(join(dataFolder, folderName));
  const prefix = `${folderName}/`;
  return {
    read: (path) => (path.startsWith(prefix) ? kept.read(path.slice(prefix.length)) : assets.read(path)),
  };
}

/** Keeps a copy of the loader of this build for the builds to come. */
export async function keepLoader(assets: RelayAssets, dataFolder: string): Promise<void> {
  const loader = await assets.read("embed.js");
  if (!loader) return;
  const folder = join(dataFolder, folderName);
  const { version } = loaderAddress(createHash("sha384").update(loader.body).digest("base64"));
  const file = join(folder, `${version}.js`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Whoever reads it meanwhile finds all of it or nothing.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, loader.body, { mode: 0o600 });
  await rename(unfinished, file);
}
