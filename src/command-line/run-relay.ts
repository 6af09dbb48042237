import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loaderAddress } from "../protocol/page/loader-address.ts";
import { folderAssets } from "../relay/assets/folder-assets.ts";
import { createRelay, type Relay, type RelayAssets, type ServiceCall } from "../relay/index.ts";
import type { Logger } from "../logging/logger.ts";
import { systemClock } from "../service/clock.ts";
import { createGuardedFetch } from "../service/outbound/guarded-fetch.ts";
import type { CallerCount } from "./http/caller-count.ts";
import { purposeSecret } from "./secrets/secrets.ts";
import type { Settings } from "./settings/settings.ts";

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

/** Parts of this process that the relay uses. */
interface RelayParts extends CallerCount {
  log: Logger;
  service: ServiceCall;
  /** The folder of the built files. */
  publicFolder: string;
}

/** Creates the token relay for a service. */
export function runRelay(
  settings: Settings,
  { log, service, publicFolder, counter, clientAddress, bodyBudget }: RelayParts,
): Relay {
  const builtFiles = folderAssets(publicFolder);
  keepLoader(builtFiles, settings.dataFolder).catch((error: unknown) =>
    log.error("the loader was not kept for later builds", { error: String(error) }),
  );
  const guardedFetch = createGuardedFetch({ allowPrivate: settings.allowPrivateAddresses });
  return createRelay({
    service,
    clock: { now: () => systemClock.nowMs() },
    counter,
    bodyBudget,
    limits: settings.relayLimits,
    tokenSecret: Buffer.from(purposeSecret(settings, "token"), "hex"),
    assets: withKeptLoaders(builtFiles, settings.dataFolder),
    publicUrl: settings.publicUrl,
    fetchPicture: (address, signal) => guardedFetch(address, { signal }),
    clientAddress,
    log,
  });
}
