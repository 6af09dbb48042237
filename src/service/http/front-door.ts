import type { Context, MiddlewareHandler } from "hono";
import { answerHeaders, completeHeaders } from "./answer-headers.ts";
import { rememberNodeRequest, requestHeader } from "./node-request.ts";
import { refuseExcess } from "./rate-limit.ts";
import type { RequestCount } from "./rate-limit.ts";
import { requireJsonAccepted } from "./routing.ts";
import { isSessionCors, openToAllOrigins } from "./session-cors.ts";
import { checkSessionKey } from "./visit.ts";
import type { VisitorRecognition } from "./visit.ts";

/** Answers that are no JSON, whatever is accepted: a stream in its one form, files as they are, a page. */
const otherThanJson = /^\/api\/$|\/(?:llm\/v2|file)\/$/;

const apiPath = /^\/api(?:\/|$)/;

interface FrontDoor {
  recognise: VisitorRecognition;
  count: RequestCount;
  /** Whether browsers of any origin may call session-scoped operations. */
  openCors: boolean;
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
export function frontDoor({ recognise, count, openCors }: FrontDoor): MiddlewareHandler {
  return async (context, next) => {
    const { path } = context.req;
    rememberNodeRequest(context);
    await recognise(context);
    await count(context);
    if (openCors && isSessionCors(path)) {
      const preflight = openToAllOrigins(context);
      if (preflight) return preflight;
    }
    refuseExcess(context);
    checkSessionKey(context);
    if (apiPath.test(path)) {
      protectAnswer(context);
      if (!otherThanJson.test(path)) requireJsonAccepted(requestHeader(context.req.raw, "accept"));
    }
    await next();
    completeHeaders(context);
    return undefined;
  };
}
