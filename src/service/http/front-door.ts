import type { Context, MiddlewareHandler } from "hono";
import type { SessionAccess } from "../service-settings.ts";
import type { BodyLease } from "../body-budget.ts";
import { answerHeaders, completeHeaders } from "./answer-headers.ts";
import { openToListedOrigins } from "./listed-origins.ts";
import { rememberNodeRequest, requestHeader } from "./node-request.ts";
import { refuseExcess } from "./rate-limit.ts";
import type { RequestCount } from "./rate-limit.ts";
import { requireJsonAccepted } from "./routing.ts";
import { isSessionCors, openToAllOrigins } from "./session-cors.ts";
import { checkSessionAccess } from "./visit.ts";
import type { VisitorRecognition } from "./visit.ts";

/** Answers that are no JSON, whatever is accepted: a stream in its one form, files as they are, a page. */
const otherThanJson = /^\/api\/$|\/(?:llm\/v2|file)\/$/;

const apiPath = /^\/api(?:\/|$)/;

interface FrontDoor {
  recognise: VisitorRecognition;
  count: RequestCount;
  /** Who may call session-scoped operations; where they are open, browsers of any origin may. */
  sessionAccess: SessionAccess;
  /** Origins whose pages may call with an API key. */
  apiOrigins: readonly string[];
  /** Opens the lease on memory for a request's body; undefined where bodies are not counted. */
  openLease: (context: Context) => BodyLease | undefined;
}

function protectAnswer(context: Context): void {
  const headers = answerHeaders(context);
  headers["X-Content-Type-Options"] = "nosniff";
  // Answers hold what only this caller may see, and change from one moment to the next.
  headers["Cache-Control"] = "no-store";
}

/**
 * Recognises, counts and admits requests before any operation sees them. One step after the other in one middleware: each
 * of its own would cost every heartbeat a few promises more.
 */
export function frontDoor({
  recognise,
  count,
  sessionAccess,
  apiOrigins,
  openLease,
}: FrontDoor): MiddlewareHandler {
  const listedOrigins = openToListedOrigins(new Set(apiOrigins));
  return async (context, next) => {
    const { path } = context.req;
    rememberNodeRequest(context);
    await recognise(context);
    await count(context);
    if (sessionAccess === "open" && isSessionCors(path)) {
      const preflight = openToAllOrigins(context);
      if (preflight) return preflight;
    } else if (apiPath.test(path)) {
      const preflight = listedOrigins(context);
      if (preflight) return preflight;
    }
    refuseExcess(context);
    checkSessionAccess(context);
    if (apiPath.test(path)) {
      protectAnswer(context);
      if (!otherThanJson.test(path)) requireJsonAccepted(requestHeader(context.req.raw, "accept"));
    }
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
