import type { MiddlewareHandler } from "hono";
import type { BodyLease } from "../../installation.ts";
import type { RecordChange } from "../audited-change.ts";
import type { SessionAccess } from "../../service-settings.ts";
import { answerHeaders, completeHeaders } from "../answers/answer-headers.ts";
import type { HttpContext, HttpEnvironment } from "../http-environment.ts";
import { type Authenticate, checkSessionAccess, isEventCreate } from "./authentication.ts";
import { listedOriginsCors } from "./listed-origins.ts";
import { refuseExcess, type RequestCount } from "./rate-limit.ts";
import { isSessionCors, sessionCors } from "./session-cors.ts";

const apiPath = /^\/api(?:\/|$)/;

interface RequestMiddleware {
  authenticate: Authenticate;
  count: RequestCount;
  /** Who may call session-scoped operations. Where they are open, as event create always is, browsers of any origin may. */
  sessionAccess: SessionAccess;
  /** Origins whose pages may call with an API key. */
  apiOrigins: readonly string[];
  recordChange: RecordChange;
  /** Opens the lease on memory for a request's body; undefined where bodies are not counted. */
  openLease: (context: HttpContext) => BodyLease | undefined;
}

function protectAnswer(context: HttpContext): void {
  const headers = answerHeaders(context);
  headers["X-Content-Type-Options"] = "nosniff";
  // Answers are for this caller alone, and change from one moment to the next.
  headers["Cache-Control"] = "no-store";
}

/**
 * Authenticates, counts and admits requests before any operation runs. All steps are in one middleware: a middleware for
 * each would cost every heartbeat several promises more.
 */
export function requestMiddleware({
  authenticate,
  count,
  sessionAccess,
  apiOrigins,
  recordChange,
  openLease,
}: RequestMiddleware): MiddlewareHandler<HttpEnvironment> {
  const listedOrigins = listedOriginsCors(new Set(apiOrigins));
  return async (context, next) => {
    const { path } = context.req;
    if (apiPath.test(path)) context.set("recordChange", recordChange);
    await authenticate(context);
    await count(context);
    if ((sessionAccess === "open" && isSessionCors(path)) || isEventCreate(path)) {
      const preflight = sessionCors(context);
      if (preflight) return preflight;
    } else if (apiPath.test(path)) {
      const preflight = listedOrigins(context);
      if (preflight) return preflight;
    }
    refuseExcess(context);
    checkSessionAccess(context);
    if (apiPath.test(path)) protectAnswer(context);
    const lease = openLease(context);
    try {
      await next();
    } finally {
      lease?.release();
    }
    completeHeaders(context);
    return undefined;
  };
}
