import packageJson from "../../package.json" with { type: "json" };
import { faultLog } from "../service/administration/trials/entry-trial.ts";
import { createLanguageModels } from "../service/language/create-language-models.ts";
import type { Installation } from "../service/installation.ts";
import type { OpenEngines } from "./engines.ts";
import type { Settings } from "./settings.ts";

interface InstallationParts {
  opened: OpenEngines;
  environment: Readonly<Record<string, string | undefined>>;
  publicFolder: string;
}

/** What the service knows of this machine, from its settings. */
export function installationOf(
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
      const models = createLanguageModels({ log, guardedFetch: engines.guardedFetch, environment });
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
