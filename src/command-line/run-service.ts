import packageJson from "../../package.json" with { type: "json" };
import { faultLog } from "../service/administration/trials/entry-trial.ts";
import { createLanguageModels } from "../service/language/create-language-models.ts";
import type { Installation } from "../service/installation.ts";
import { engineEnvironment, type OpenEngines, openEngines } from "./engines.ts";
import type { Settings } from "./settings/settings.ts";
import { join } from "node:path";
import type { Logger } from "../logging/logger.ts";
import { createTextReader } from "../service/administration/knowledge/reading/text-reader.ts";
import { systemClock } from "../service/clock.ts";
import { createMediaEngine } from "../service/media/create-media-engine.ts";
import type { MediaEngine, MediaHooks } from "../service/media/media-engine.ts";
import { createService, type Service } from "../service/service.ts";
import { defaultServiceSettings, type ServiceSettings } from "../service/service-settings.ts";
import { chooseDemoRecognizer } from "../service/store/seed/demo-recognizer.ts";
import { openStorage } from "../service/store/open-storage.ts";
import { seed } from "../service/store/seed/seed.ts";
import { alderHome } from "./alder-home.ts";
import type { CallerCount } from "./http/caller-count.ts";
import { allowHeapGrowth } from "./heap-growth.ts";
import { operatorAccess, type OperatorAccess, ownRelayToken, storeSecretBox } from "./secrets/secrets.ts";
import type { Stopping } from "./http/serve.ts";

interface InstallationParts {
  opened: OpenEngines;
  environment: Readonly<Record<string, string | undefined>>;
  publicFolder: string;
}

/** What the service knows of this machine, from its settings. */
function installationOf(
  settings: Settings,
  { opened, environment, publicFolder }: InstallationParts,
): Installation {
  const { allowPrivateAddresses, dataFolder, modelsUrl, databaseUrl, media } = settings;
  const { engines, flite, tools, voiceActivity } = opened;
  return {
    machine: { environment, allowPrivateAddresses, publicFolder },
    dataFolder,
    modelsUrl,
    version: packageJson.version,
    nodeVersion: process.versions.node,
    memoryBytes: () => process.memoryUsage.rss(),
    startedAtMs: Date.now(),
    database: databaseUrl === undefined ? "embedded" : "PostgreSQL",
    mediaProcesses: media.processes,
    trialEngines() {
      // Models of their own for each test, so that their log says why just this call failed.
      const { log, lastFault } = faultLog();
      const models = createLanguageModels({
        log,
        outbound: engines.outbound,
        environment,
        indexOf: engines.indexOf,
      });
      return {
        ...engines,
        languageModel: (row) => models.model(row),
        interactiveAgent: (row) => models.agent(row),
        tools,
        voiceActivity,
        sample: (signal) => flite.synthesize({ text: "Hello, can you hear me?", voice: "slt", signal }),
        lastFault,
      };
    },
  };
}

type RunSettings = Omit<Settings, "serviceUrl"> &
  Required<Pick<ServiceSettings, "sessionAccess" | "serviceUrl">>;

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
interface RunningService extends Stopping {
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
    serviceUrl: settings.serviceUrl,
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
  await seed({ store, clock: systemClock, ...alderHome, apiKey });
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
    textReader: createTextReader({
      workerUrl: parts.scriptUrl("reading-worker"),
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
