import type { Context } from "hono";
import { answerHeaders } from "./answer-headers.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const sessionPath = /^\/api\/v1\/session\/[^/]+(?:\/|$)/;

const exposed = rateLimitHeaders.join(",");

const preflight = {
  "Access-Control-Allow-Methods": "GET,POST",
  "Access-Control-Allow-Headers": "Content-Type,Accept,Authorization,ServicePlatform-APIKey,XP-API-KEY",
  "Access-Control-Max-Age": "7200",
};

/** Whether a path is one that browser clients call directly. */
export function isSessionCors(path: string): boolean {
  return sessionPath.test(path);
}

/**
 * Browser clients call session-scoped operations directly, from any origin, and never with credentials. Returns the answer
 * to a preflight; null where the request is none.
 */
export function openToAllOrigins(context: Context): Response | null {
  const headers = answerHeaders(context);
  headers["Access-Control-Allow-Origin"] = "*";
  headers["Access-Control-Expose-Headers"] = exposed;
  if (context.req.method !== "OPTIONS") return null;
  return context.body(null, 204, { ...preflight, ...headers });
}
