import { Hono } from "hono";
import { routePath } from "hono/route";
import type { Clock } from "../clock.ts";
import { Fault } from "../fault.ts";
import type { Log } from "../log.ts";
import type { ServiceSettings } from "../service-settings.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import { createApiKeyCheck } from "./api-key-check.ts";
import { AuthFault } from "./auth-fault.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { contextRoutes } from "./context-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { healthRoutes } from "./health-routes.ts";
import { llmRoutes } from "./llm-routes.ts";
import { requireJsonAccepted } from "./routing.ts";
import { rememberNodeBody } from "./node-body.ts";
import { sessionCors } from "./session-cors.ts";
import { sessionRoutes } from "./session-routes.ts";

/** What the HTTP layer is made from. */
export interface HttpDependencies {
  clock: Clock;
  store: Store;
  sessions: Sessions;
  files: PublicFiles;
  log: Log;
  settings: ServiceSettings;
}

function causeOf({ cause, message }: Fault): string {
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === "string" ? cause : message;
}

/** The service's HTTP interface. It answers `/api/…`, `/healthz` and `/readyz`, and 404 in the wire's shape elsewhere. */
export function createHttpApp({ clock, store, sessions, files, log, settings }: HttpDependencies): Hono {
  const app = new Hono();
  const checkApiKey = createApiKeyCheck(store, clock);
  app.use("*", rememberNodeBody);
  if (settings.openCors) app.use("/api/v1/session/:session/*", sessionCors());
  app.use("/api/*", async (context, next) => {
    context.header("X-Content-Type-Options", "nosniff");
    // Answers hold what only this caller may see, and change from one moment to the next.
    context.header("Cache-Control", "no-store");
    // The language model's stream comes in one form, whatever is accepted; a file is what it is.
    if (!/\/(?:llm\/v2|file)\/$/.test(context.req.path)) requireJsonAccepted(context.req.header("accept"));
    await next();
  });
  sessionRoutes(app, sessions, checkApiKey);
  eventRoutes(app, sessions, checkApiKey);
  llmRoutes(app, sessions, log);
  contextRoutes(app, { store, clock, publicUrl: settings.publicUrl }, checkApiKey);
  catalogueRoutes(app, store, files, checkApiKey);
  healthRoutes(app, store, sessions);
  app.notFound((context) => context.json(Fault.notFound().body, 404));
  app.onError((error, context) => {
    if (error instanceof AuthFault) return context.json(error.body, error.status);
    const fault = error instanceof Fault ? error : Fault.server("An unexpected error occurred.", error);
    if (fault.status === 500)
      log.error("request failed", {
        method: context.req.method,
        // The pattern and not the path, which holds the session's id.
        route: routePath(context),
        error: causeOf(fault),
      });
    return context.json(fault.body, fault.status, fault.headers);
  });
  return app;
}
