import type { UnitIndexes } from "../../../knowledge/matching/unit-index.ts";
import type { Logger } from "../../../../logging/logger.ts";
import type { EngineRecord } from "../../../administration/engines/engine-record.ts";
import type { TextReader } from "../../../administration/knowledge/reading/text-reader.ts";
import type { WebsiteReader } from "../../../administration/knowledge/website/website-reader.ts";
import type { HealthParts } from "../../../administration/health.ts";
import type { Engines } from "../../../engines/available-catalogue.ts";
import type { ServiceSettings } from "../../../service-settings.ts";
import type { FileStore } from "../../../store/store.ts";
import { createModelInstallations } from "../../../administration/engines/model-installations.ts";
import type { OutboundCalls } from "../../../outbound/outbound-calls.ts";
import type { WebhookSender } from "../../../webhooks/webhook-sender.ts";
import type { Operation } from "../../operations/operation.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { engineRoutes } from "./engine-routes.ts";
import { inboxRoutes } from "./inbox-routes.ts";
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { photoCharacterRoutes } from "./photo-character-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { unansweredRoutes } from "./unanswered-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";
import { websiteRoutes } from "./website-routes.ts";
import { accountRoutes } from "./account-routes.ts";
import { apiKeyRoutes } from "./api-key-routes.ts";
import type { ConsoleAccess } from "./console-access.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { loginRoutes } from "./login-routes.ts";

/** What the operations of the console need. */
interface ManagementParts extends Engines, Pick<HealthParts, "store" | "clock" | "installation" | "media"> {
  /** Where uploaded files are stored. */
  uploads: FileStore;
  outbound: OutboundCalls;
  textReader: TextReader;
  indexOf?: UnitIndexes | undefined;
  websiteReader: WebsiteReader;
  webhookSender: WebhookSender;
  engineRecord: EngineRecord;
  log: Logger;
  settings: Pick<ServiceSettings, "publicUrl" | "serviceUrl">;
}

/** What operators see and set beside avatars and accounts. */
export function managementRoutes(dependencies: ManagementParts): Operation[] {
  const { store, clock, uploads, installation, engineRecord, media, log, settings } = dependencies;
  const { publicUrl, serviceUrl = publicUrl } = settings;
  const documents = { store, clock, files: uploads, indexOf: dependencies.indexOf, log };
  const models = createModelInstallations({ installation, log, nowMs: () => clock.nowMs() });
  const engines = { store, clock, engines: dependencies, installation, record: engineRecord };
  return [
    ...conversationRoutes({ store, clock }),
    ...inboxRoutes({ store, clock }),
    ...unansweredRoutes(documents),
    ...knowledgeRoutes(documents, dependencies.textReader),
    ...websiteRoutes({ ...documents, reader: dependencies.websiteReader, installation }),
    ...webhookRoutes({ store, clock, installation, sender: dependencies.webhookSender }),
    ...engineRoutes(engines, dependencies.outbound),
    ...modelRoutes(store, models),
    ...overviewRoutes({ ...engines, media, publicUrl }),
    ...photoCharacterRoutes({ store, clock, files: uploads, installation }),
    ...settingsRoutes({ store, clock, installation, media, serviceUrl }),
  ];
}

/** The console's own operations. */
export function consoleRoutes(access: ConsoleAccess): Operation[] {
  return [
    ...loginRoutes(access),
    ...accountRoutes(access),
    ...invitationRoutes(access),
    ...apiKeyRoutes(access),
  ];
}
