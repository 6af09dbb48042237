import type { Logger } from "../../../../logging/logger.ts";
import type { EngineRecord } from "../../../administration/engines/engine-record.ts";
import type { FileReader } from "../../../administration/knowledge/files/file-reader.ts";
import type { WebsiteReader } from "../../../administration/knowledge/website/website-reader.ts";
import type { HealthParts } from "../../../administration/health.ts";
import type { Engines } from "../../../available-catalogue.ts";
import type { ServiceSettings } from "../../../service-settings.ts";
import type { FileStore } from "../../../store/store.ts";
import { createModelInstallations } from "../../../administration/engines/model-installations.ts";
import { createOperatorFetch } from "../../../guarded-fetch.ts";
import type { Operation } from "../../operations/operation.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { engineRoutes } from "./engine-routes.ts";
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { photoCharacterRoutes } from "./photo-character-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { unansweredRoutes } from "./unanswered-routes.ts";
import { websiteRoutes } from "./website-routes.ts";

/** What the operations of the console need. */
interface ManagementParts extends Engines, Pick<HealthParts, "store" | "clock" | "installation" | "media"> {
  /** Where uploaded files are stored. */
  uploads: FileStore;
  fileReader: FileReader;
  websiteReader: WebsiteReader;
  engineRecord: EngineRecord;
  log: Logger;
  settings: Pick<ServiceSettings, "publicUrl">;
}

/** What operators see and set beside avatars and accounts. */
export function managementRoutes(dependencies: ManagementParts): Operation[] {
  const { store, clock, uploads, installation, engineRecord, media, log, settings } = dependencies;
  const { publicUrl } = settings;
  const documents = { store, clock, files: uploads };
  const models = createModelInstallations({ installation, log, nowMs: () => clock.nowMs() });
  const engines = { store, clock, engines: dependencies, installation, record: engineRecord };
  return [
    ...conversationRoutes({ store, clock }),
    ...unansweredRoutes(documents),
    ...knowledgeRoutes(documents, dependencies.fileReader),
    ...websiteRoutes({ ...documents, reader: dependencies.websiteReader, installation }),
    ...engineRoutes(engines, createOperatorFetch()),
    ...modelRoutes(store, models),
    ...overviewRoutes({ ...engines, media, publicUrl }),
    ...photoCharacterRoutes({ store, clock, files: uploads, installation }),
    ...settingsRoutes({ store, clock, installation, media, publicUrl }),
  ];
}
