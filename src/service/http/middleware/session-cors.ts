import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpContext } from "../http-environment.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const sessionPath = /^\/api\/v1\/session\/[^/]+(?:\/|$)/;

const exposed = [...rateLimitHeaders, "Link"].join(",");

const preflight = {
  "Access-Control-Allow-Methods": "GET,POST,DELETE",
  // Clients may send any header; older browsers know no `*`, and it never includes Authorization.
  "Access-Control-Allow-Headers": "*,Content-Type,Accept,Authorization,ServicePlatform-APIKey,XP-API-KEY",
  "Access-Control-Max-Age": "7200",
};

/** Whether browser clients call a path directly. */
export function isSessionCors(path: string): boolean {
  return sessionPath.test(path);
}

/**
 * Sets the CORS headers of session-scoped operations, which browser clients call from any origin and without credentials.
 * Returns the answer to a preflight request; null for other requests.
 */
export function sessionCors(context: HttpContext): Response | null {
  const headers = answerHeaders(context);
  headers["Access-Control-Allow-Origin"] = "*";
  headers["Access-Control-Expose-Headers"] = exposed;
  if (context.req.method !== "OPTIONS") return null;
  return context.body(null, 204, { ...preflight, ...headers });
}
