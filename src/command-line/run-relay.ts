import type { Logger } from "../logging/logger.ts";
import { folderAssets } from "../relay/folder-assets.ts";
import { createRelay, type Relay, type ServiceCall } from "../relay/index.ts";
import { createGuardedFetch } from "../service/guarded-fetch.ts";
import type { CallerCount } from "./caller-count.ts";
import { keepLoader, withKeptLoaders } from "./kept-loaders.ts";
import { purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

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
