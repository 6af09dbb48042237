import { join } from "node:path";
import type { Logger } from "../logging/logger.ts";
import { createFileReader } from "../service/administration/knowledge/files/file-reader.ts";
import { systemClock } from "../service/clock.ts";
import { createMediaEngine } from "../service/media/create-media-engine.ts";
import type { MediaEngine, MediaHooks } from "../service/media/media-engine.ts";
import { createService, type Service } from "../service/service.ts";
import { defaultServiceSettings, type ServiceSettings } from "../service/service-settings.ts";
import { chooseDemoRecognizer } from "../service/store/demo-recognizer.ts";
import { openStorage } from "../service/store/open-storage.ts";
import { seed } from "../service/store/seed.ts";
import { alderHomeInstructions } from "./alder-home.ts";
import type { CallerCount } from "./caller-count.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { openEngines } from "./engines.ts";
import { installationOf } from "./installation.ts";
import { allowHeapGrowth } from "./heap-growth.ts";
import { operatorAccess, type OperatorAccess } from "./operator-access.ts";
import { ownRelayToken } from "./relay-token.ts";
import type { Stopping } from "./serve.ts";
import type { Settings } from "./settings.ts";
import { storeSecretBox } from "./store-secret.ts";

type RunSettings = Settings & Pick<ServiceSettings, "sessionAccess">;

/** Parts of this process that the service uses. */
interface ServiceParts extends CallerCount {
  log: Logger;
  /** The first API key of the store. */
  apiKey: string;
  /** The folder of the built files. */
  publicFolder: string;
  /** The URL of a built worker or child process script, by its name without extension. */
  scriptUrl(name: string): URL;
}

/** A running service. */
export interface RunningService extends Stopping {
  app: Service["app"];
  operator: OperatorAccess;
}

/** The media engine, with the most likely characters already loaded. */
function openMedia(
  settings: RunSettings,
  { log, scriptUrl, publicFolder }: Pick<ServiceParts, "log" | "scriptUrl" | "publicFolder">,
): (hooks: MediaHooks) => MediaEngine {
  return (hooks) =>
    createMediaEngine({
      processUrl: scriptUrl("media-process"),
      processes: settings.media.processes,
      privateCandidates: settings.media.privateCandidates,
      hooks,
      log,
      settings: {
        portRange: settings.media.portRange,
        publicAddress: settings.media.publicAddress,
        preloadCharacters: ["mina", "tomas", "amara", "ingrid"].map((name) =>
          join(publicFolder, "characters", `${name}.json`),
        ),
      },
    });
}

/** The settings of the service. */
function serviceSettings(
  settings: RunSettings,
  operator: OperatorAccess,
  publicFolder: string,
): ServiceSettings {
  return {
    ...defaultServiceSettings,
    rateLimits: settings.rateLimits,
    eventFiles: settings.eventFiles,
    sessionAccess: settings.sessionAccess,
    apiOrigins: settings.apiOrigins,
    relayToken: ownRelayToken(settings),
    engineBudgets: settings.engineBudgets,
    signingSecret: operator.signingSecret,
    operatorPasswordHash: operator.passwordHash,
    publicUrl: settings.publicUrl,
    publicFolder,
    ice: settings.ice,
    connectWithinSec: settings.lease.beforeConnectionSec,
    lostAfterSec: settings.lease.afterConnectionSec,
    sharesSessions: settings.databaseUrl !== undefined,
    sessionsOnStop: settings.sessionsOnStop,
  };
}

/** Starts the avatar service with its store in the data folder and its engines. It runs when the promise resolves. */
export async function runService(settings: RunSettings, parts: ServiceParts): Promise<RunningService> {
  allowHeapGrowth();
  const { log, apiKey, publicFolder, counter, clientAddress, bodyBudget } = parts;
  const operator = await operatorAccess(settings);
  const storage = await openStorage({ ...settings, box: storeSecretBox(settings) }, log);
  const { store, files, notices } = storage;
  await seed({ store, clock: systemClock, demoInstructions: alderHomeInstructions, apiKey });
  const environment = engineEnvironment(process.env, settings.dataFolder);
  const opened = openEngines(settings, { ...parts, environment });
  const { engines, close: closeEngines } = opened;
  await chooseDemoRecognizer({ store, clock: systemClock, recognizer: engines.recognizer });
  const service = createService({
    ...engines,
    clock: systemClock,
    store,
    files,
    notices,
    media: openMedia(settings, parts),
    fileReader: createFileReader({
      workerUrl: parts.scriptUrl("file-worker"),
      memoryBytes: () => process.memoryUsage.rss(),
    }),
    installation: installationOf(settings, { opened, environment, publicFolder }),
    counter,
    bodyBudget,
    clientAddress,
    log,
    settings: serviceSettings(settings, operator, publicFolder),
  });
  service.start();
  return {
    app: service.app,
    operator,
    drain: () => service.drain(),
    async stop() {
      await service.stop();
      await closeEngines();
      await storage.close();
    },
  };
}
