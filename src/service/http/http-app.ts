import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import type { ErrorHandler } from "hono";
import { routePath } from "hono/route";
import { availableCatalogue } from "../available-catalogue.ts";
import type { Engines } from "../available-catalogue.ts";
import type { BodyBudget } from "../body-budget.ts";
import type { Clock } from "../clock.ts";
import type { Counter } from "../counter.ts";
import { Fault } from "../fault.ts";
import { LimitExceeded } from "../limit-exceeded.ts";
import type { Log } from "../log.ts";
import type { ServiceMetrics } from "../metrics.ts";
import { defaultRateLimits } from "../service-settings.ts";
import type { ServiceSettings } from "../service-settings.ts";
import type { TextNormalizer } from "../normalization/text-normalizer.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { FileStore, Store } from "../store/store.ts";
import { jsonAnswer } from "./answer-headers.ts";
import { AuthFault } from "./auth-fault.ts";
import { backgroundRoutes } from "./background-routes.ts";
import { openBodyLease } from "./body-lease.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { consoleRoutes } from "./console-routes.ts";
import { createConsoleSessions } from "./console-session.ts";
import { createLoginDevices } from "./login-device.ts";
import { contextRoutes } from "./context-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { frontDoor } from "./front-door.ts";
import { formResourceRoutes } from "./form-resource-routes.ts";
import { healthRoutes } from "./health-routes.ts";
import { llmRoutes } from "./llm-routes.ts";
import { metricsRoutes } from "./metrics-routes.ts";
import { normalizationConfigRoutes } from "./normalization-config-routes.ts";
import { openApiRoutes } from "./openapi-routes.ts";
import { requestCount, showWindow } from "./rate-limit.ts";
import type { ClientAddress } from "./rate-limit.ts";
import { relayTokenCheck } from "./relay-token-check.ts";
import { normalizationRoutes } from "./normalization-routes.ts";
import { recorded } from "./request-metrics.ts";
import { createSessionOwners } from "./session-owners.ts";
import { sessionRoutes } from "./session-routes.ts";
import { createSignedLinks } from "./signed-link.ts";
import { visit, visitorRecognition } from "./visit.ts";
import { voiceRoutes } from "./voice-routes.ts";
import { sttRoutes } from "./stt-routes.ts";

/** What the HTTP layer is made from. */
export interface HttpDependencies extends Engines {
  clock: Clock;
  store: Store;
  sessions: Sessions;
  files: PublicFiles;
  /** Where files that came with requests are kept. */
  uploads: FileStore;
  normalizer: TextNormalizer;
  log: Log;
  settings: ServiceSettings;
  /** Shared by all processes that are to limit callers as one. */
  counter: Counter;
  /** Where a request came from; default: unknown, so that everybody without a key is counted as one. */
  clientAddress?: ClientAddress | undefined;
  metrics: ServiceMetrics;
  /** The memory for request bodies. Default: without a limit for all of them together. */
  bodyBudget?: BodyBudget | undefined;
}

function causeOf({ cause, message }: Fault): string {
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === "string" ? cause : message;
}

function catalogueArea(app: Hono, dependencies: HttpDependencies, secret: string): void {
  const { clock, store, sessions, files, uploads, settings } = dependencies;
  const { publicUrl, publicFolder } = settings;
  const catalogue = availableCatalogue(store.catalogue, dependencies);
  const links = createSignedLinks(secret, clock);
  contextRoutes(app, { store, catalogue, clock, publicUrl, publicFolder });
  formResourceRoutes(app, catalogue, files);
  catalogueRoutes(app, catalogue, files);
  documentRoutes(app, { catalogue, files, sessions });
  backgroundRoutes(app, { store, clock, uploads, files });
  normalizationConfigRoutes(app, { catalogue, links, publicUrl });
  voiceRoutes(app, catalogue);
}

/**
 * The service's HTTP interface. It answers `/api/…`, `/openapi.json`, `/healthz`, `/readyz` and `/metrics`, and 404 in
 * the wire's shape elsewhere.
 */
export function createHttpApp(dependencies: HttpDependencies): Hono {
  const { clock, store, counter, sessions, log, settings, metrics } = dependencies;
  const { publicUrl, operatorPasswordHash: passwordHash, sessionAccess, apiOrigins = [] } = settings;
  const isRelay = relayTokenCheck(settings.relayToken);
  const app = new Hono();
  const limits = settings.rateLimits ?? defaultRateLimits;
  const secret = settings.signingSecret ?? randomBytes(32).toString("hex");
  // A new password forgets who was logged in, and where.
  const loginSecret = `${secret}:${passwordHash ?? ""}`;
  const consoleSessions = createConsoleSessions({ clock, counter, publicUrl, secret: loginSecret });
  const devices = createLoginDevices({ clock, publicUrl, secret: loginSecret });
  const clientAddress = dependencies.clientAddress ?? (() => null);
  const owners = createSessionOwners(store);
  app.use(
    "*",
    recorded(
      frontDoor({
        recognise: visitorRecognition({
          store,
          clock,
          owners,
          consoleSessions,
          publicUrl,
          sessionAccess,
          isRelay,
        }),
        count: requestCount({ counter, clock, limits, clientAddress, devices, log }),
        sessionAccess,
        apiOrigins,
        openLease: (context) => openBodyLease(context, dependencies.bodyBudget, clientAddress),
      }),
      metrics,
    ),
  );
  // Who shows a key, and the relay, calls for visitors elsewhere.
  sessionRoutes(app, sessions, (context) =>
    visit(context).identity.by === "key" || isRelay(context.req.raw)
      ? null
      : clientAddress(context.req.raw, context.env),
  );
  eventRoutes(app, sessions);
  sttRoutes(app, sessions);
  llmRoutes(app, sessions, log);
  normalizationRoutes(app, dependencies);
  catalogueArea(app, dependencies, secret);
  consoleRoutes(app, {
    store,
    counter,
    sessions: consoleSessions,
    devices,
    log,
    clientAddress,
    clock,
    loginsPerMinute: limits.loginsPerMinute,
    passwordHash,
    publicUrl,
  });
  healthRoutes(app, store, sessions);
  metricsRoutes(app, store, metrics);
  openApiRoutes(app, publicUrl);
  app.notFound((context) => jsonAnswer(context, Fault.notFound().body, 404));
  app.onError(answerFault(log, clock));
  return app;
}

/** Answers whatever is thrown in the wire's shape; what is no fault of the caller's goes to the log. */
function answerFault(log: Log, clock: Clock): ErrorHandler {
  return (error, context) => {
    if (error instanceof LimitExceeded) {
      const { limit, resetAtMs, message } = error;
      showWindow(context, { limit, total: limit + 1, resetAtMs }, clock.nowMs());
      return jsonAnswer(context, AuthFault.rateLimited(message).body, 429);
    }
    if (error instanceof AuthFault) return jsonAnswer(context, error.body, error.status, error.headers);
    const fault = error instanceof Fault ? error : Fault.server("An unexpected error occurred.", error);
    if (fault.status === 500) {
      // The pattern and not the path, which holds the session's id.
      const line = { method: context.req.method, route: routePath(context), error: causeOf(fault) };
      // Work that a client leaves is given up, and fails by that.
      if (context.req.raw.signal.aborted) log.info("request was left by its client", line);
      else log.error("request failed", line);
    }
    return jsonAnswer(context, fault.body, fault.status, fault.headers);
  };
}
