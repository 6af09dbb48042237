import type { UnitIndexes } from "../knowledge/matching/unit-index.ts";
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import type { VoiceSampleAccess } from "../administration/voice-sample.ts";
import { availableCatalogue, type Engines } from "../engines/available-catalogue.ts";
import type { EngineRecord } from "../administration/engines/engine-record.ts";
import type { TextReader } from "../administration/knowledge/reading/text-reader.ts";
import type { WebsiteReader } from "../administration/knowledge/website/website-reader.ts";
import type { BodyBudget, Installation } from "../installation.ts";
import type { Clock } from "../clock.ts";
import type { Counter } from "../../protocol/counter.ts";
import type { Logger } from "../../logging/logger.ts";
import type { ServiceMetrics } from "../metrics/metrics.ts";
import type { TextNormalizer } from "../normalization/text-normalizer.ts";
import { defaultRateLimits, type ServiceSettings } from "../service-settings.ts";
import type { PublicFiles } from "../sessions/connection/public-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { FileStore, Store } from "../store/store.ts";
import { jsonAnswer } from "./answers/answer-headers.ts";
import { createSignedLinks } from "./answers/signed-link.ts";
import { createAudit } from "./audit.ts";
import { openBodyLease } from "./body/limited-body.ts";
import type { ClientAddress } from "./node-request.ts";
import { createConsoleSessions } from "./console/console-session.ts";
import { createLoginDevices } from "./console/login-device.ts";
import { passwordHasher } from "../operator-password.ts";
import { createPasswordCheck, LoginGuard } from "./console/login-guard.ts";
import type { HttpContext, HttpEnvironment } from "./http-environment.ts";
import { authentication, createSessionOwners, relayTokenCheck } from "./middleware/authentication.ts";
import { errorHandler } from "./middleware/error-handler.ts";
import { requestCount } from "./middleware/rate-limit.ts";
import { requestMiddleware } from "./middleware/request-middleware.ts";
import { withRequestMetrics } from "./middleware/request-metrics.ts";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { WebhookSender } from "../webhooks/webhook-sender.ts";
import type { Operation } from "./operations/operation.ts";
import { registerOperations, unknownPath } from "./operations/register-operations.ts";
import { backgroundRoutes } from "./routes/background-routes.ts";
import { catalogueRoutes } from "./routes/catalogue-routes.ts";
import { auditRoutes } from "./routes/console/audit-routes.ts";
import { avatarRoutes } from "./routes/console/avatar-routes.ts";
import { draftRoutes } from "./routes/console/draft-routes.ts";
import { pageRoutes } from "./routes/console/page-routes.ts";
import { consoleRoutes, managementRoutes } from "./routes/console/management-routes.ts";
import { previewRoutes } from "./routes/console/preview-routes.ts";
import { contextRoutes } from "./routes/context-routes.ts";
import { documentRoutes } from "./routes/document-routes.ts";
import { attachmentRoutes } from "./routes/attachment-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { formResourceRoutes } from "./routes/form-resource-routes.ts";
import { healthRoutes, metricsRoutes } from "./routes/health-routes.ts";
import { llmRoutes } from "./routes/llm-routes.ts";
import { liveRoutes } from "./routes/console/live-routes.ts";
import { personRoutes } from "./routes/person-routes.ts";
import { normalizationConfigRoutes, normalizationRoutes } from "./routes/normalization-routes.ts";
import { photoRoutes } from "./routes/photo-routes.ts";
import { openApiRoutes } from "./routes/openapi-routes.ts";
import { sessionRoutes } from "./routes/session-routes.ts";
import { sttRoutes, voiceRoutes } from "./routes/speech-routes.ts";

/** What the HTTP layer needs. */
export interface HttpDependencies extends Engines {
  synthesizer: VoiceSampleAccess["synthesizer"];
  clock: Clock;
  store: Store;
  sessions: Sessions;
  /** The media engine, as far as its health shows. */
  media: { readonly readyProcesses: number; readonly peerCount: number };
  installation: Installation;
  /** Whether the calls of engines succeeded. */
  engineRecord: EngineRecord;
  outbound: OutboundCalls;
  files: PublicFiles;
  /** Where uploaded files are stored. */
  uploads: FileStore;
  normalizer: TextNormalizer;
  /** Reads uploaded PDF and Word documents. */
  textReader: TextReader;
  indexOf?: UnitIndexes | undefined;
  websiteReader: WebsiteReader;
  webhookSender: WebhookSender;
  log: Logger;
  settings: ServiceSettings;
  /** Shared by all processes that limit callers together. */
  counter: Counter;
  /** Where a request came from; default: unknown, so that all callers without a key share one limit. */
  clientAddress?: ClientAddress | undefined;
  metrics: ServiceMetrics;
  /** The memory for request bodies. Default: no limit for all of them together. */
  bodyBudget?: BodyBudget | undefined;
}

/** The service's HTTP interface. */
export interface HttpApp {
  app: Hono<HttpEnvironment>;
  /** Everything that the app answers, as `/openapi.json` describes it. */
  operations: readonly Operation[];
}

/** What the app derives from its dependencies. */
function accessOf({ clock, store, settings, clientAddress = () => null }: HttpDependencies) {
  const { publicUrl, serviceUrl = publicUrl, operatorPasswordHash: passwordHash } = settings;
  const secret = settings.signingSecret ?? randomBytes(32).toString("hex");
  // A new password ends all logins, and forgets the browsers that are known.
  const loginSecret = `${secret}:${passwordHash ?? ""}`;
  return {
    secret,
    passwordHash,
    passwords: settings.passwords ?? passwordHasher(),
    /** Where the service's own paths and the console are. */
    serviceUrl,
    clientAddress,
    limits: settings.rateLimits ?? defaultRateLimits,
    isRelay: relayTokenCheck(settings.relayToken),
    consoleSessions: createConsoleSessions({
      ...{ clock, store, clientAddress, secret: loginSecret },
      publicUrl: serviceUrl,
    }),
    devices: createLoginDevices({ clock, publicUrl: serviceUrl, secret: loginSecret }),
  };
}

type Access = ReturnType<typeof accessOf>;

function sessionArea(dependencies: HttpDependencies, { isRelay, clientAddress }: Access): Operation[] {
  const { sessions, log } = dependencies;
  // Calls with an API key and calls of the relay are made for visitors at other addresses.
  const visitorAddress = (context: HttpContext): string | null =>
    context.get("authentication").identity.by === "key" || isRelay(context)
      ? null
      : clientAddress(context.req.raw, context.env);
  return [
    ...sessionRoutes(sessions, visitorAddress),
    ...eventRoutes(sessions),
    ...attachmentRoutes(sessions),
    ...sttRoutes(sessions),
    ...llmRoutes(sessions, log),
    ...personRoutes(sessions),
    ...normalizationRoutes(dependencies),
  ];
}

function catalogueArea(dependencies: HttpDependencies, { secret, serviceUrl }: Access): Operation[] {
  const { clock, store, sessions, files, uploads, settings } = dependencies;
  const { publicUrl, publicFolder } = settings;
  const catalogue = availableCatalogue(store.catalogue, dependencies);
  const links = createSignedLinks(secret, clock);
  return [
    ...contextRoutes({ store, catalogue, clock, sessions, publicUrl, publicFolder }),
    ...avatarRoutes({ store, catalogue, clock, publicUrl }),
    ...draftRoutes({ store, catalogue, clock, publicUrl }),
    ...pageRoutes({ store, catalogue, clock, publicUrl }),
    ...previewRoutes({ store, catalogue, clock, publicUrl, synthesizer: dependencies.synthesizer }),
    ...formResourceRoutes(catalogue, files),
    ...catalogueRoutes(catalogue, files),
    ...documentRoutes({ catalogue, files, sessions }),
    ...photoRoutes(uploads),
    ...backgroundRoutes({ store, clock, uploads, files }),
    ...normalizationConfigRoutes({ catalogue, links, serviceUrl }),
    ...voiceRoutes(catalogue),
  ];
}

function consoleArea(dependencies: HttpDependencies, access: Access): Operation[] {
  const { clock, store, counter, log } = dependencies;
  const { devices, clientAddress, limits, passwordHash: installationHash, consoleSessions } = access;
  const { passwords, serviceUrl } = access;
  const attemptsPerMinute = limits.loginsPerMinute;
  const guard = new LoginGuard({ counter, clock, log, attemptsPerMinute });
  return consoleRoutes({
    store,
    clock,
    sessions: consoleSessions,
    devices,
    passwords,
    checkPassword: createPasswordCheck({
      ...{ guard, passwords, clock, clientAddress, attemptsPerMinute, installationHash },
    }),
    installationHash,
    publicUrl: serviceUrl,
  });
}

function allOperations(dependencies: HttpDependencies, access: Access): Operation[] {
  const { store, sessions, metrics, log } = dependencies;
  const operations: Operation[] = [
    ...sessionArea(dependencies, access),
    ...catalogueArea(dependencies, access),
    ...consoleArea(dependencies, access),
    ...auditRoutes(store, () => operations),
    ...managementRoutes(dependencies),
    ...liveRoutes(sessions),
    ...healthRoutes(store, sessions, log),
    ...metricsRoutes(store, metrics),
    ...openApiRoutes(() => operations, access.serviceUrl),
  ];
  return operations;
}

function middlewareOf(dependencies: HttpDependencies, access: Access) {
  const { clock, store, counter, log, settings, bodyBudget, metrics } = dependencies;
  const { sessionAccess, apiOrigins = [] } = settings;
  const { limits, clientAddress, devices, consoleSessions, isRelay } = access;
  const owners = createSessionOwners(store);
  const recordChange = createAudit({ store, clock, log, counter, clientAddress });
  const middleware = requestMiddleware({
    authenticate: authentication({
      store,
      clock,
      owners,
      consoleSessions,
      publicUrl: access.serviceUrl,
      sessionAccess,
      isRelay,
    }),
    count: requestCount({ counter, clock, limits, clientAddress, devices, log }),
    sessionAccess,
    apiOrigins,
    recordChange,
    openLease: (context) => openBodyLease(context, bodyBudget, clientAddress),
  });
  return withRequestMetrics(middleware, metrics);
}

/**
 * Builds the service's HTTP interface: `/api/…`, `/openapi.json`, `/healthz`, `/readyz` and `/metrics`. Other paths are
 * answered with 404 in the interface's form.
 */
export function createHttpApp(dependencies: HttpDependencies): HttpApp {
  const access = accessOf(dependencies);
  const app = new Hono<HttpEnvironment>();
  const operations = allOperations(dependencies, access);
  app.use("*", middlewareOf(dependencies, access));
  registerOperations(app, operations);
  const faultOf = unknownPath(operations);
  app.notFound((context) => jsonAnswer(context, faultOf(context).body, 404));
  app.onError(errorHandler(dependencies.log, dependencies.clock));
  return { app, operations };
}
