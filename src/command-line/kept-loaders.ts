import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loaderAddress } from "../protocol/loader-address.ts";
import { folderAssets } from "../relay/folder-assets.ts";
import type { RelayAssets } from "../relay/index.ts";

/** Folder in the data folder, with the loaders of this installation's builds. */
const folderName = "loaders";

/**
 * The built files, and the loaders of earlier builds. So pages that name a loader by its content hash still work after an update.
 */
export function withKeptLoaders(assets: RelayAssets, dataFolder: string): RelayAssets {
  const kept = folderAssets(join(dataFolder, folderName));
  const prefix = `${folderName}/`;
  return {
    read: (path) => (path.startsWith(prefix) ? kept.read(path.slice(prefix.length)) : assets.read(path)),
  };
}

/** Stores a copy of this build's loader for later builds. */
export async function keepLoader(assets: RelayAssets, dataFolder: string): Promise<void> {
  const loader = await assets.read("embed.js");
  if (!loader) return;
  const folder = join(dataFolder, folderName);
  const { version } = loaderAddress(createHash("sha384").update(loader.body).digest("base64"));
  const file = join(folder, `${version}.js`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A concurrent reader sees the complete file or none.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, loader.body, { mode: 0o600 });
  await rename(unfinished, file);
}
