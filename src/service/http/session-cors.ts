import type { MiddlewareHandler } from "hono";

const preflight = {
  "Access-Control-Allow-Methods": "GET,POST",
  "Access-Control-Allow-Headers": "Content-Type,Accept,Authorization,ServicePlatform-APIKey,XP-API-KEY",
  "Access-Control-Max-Age": "7200",
};

/**
 * Browser clients call session-scoped operations directly, from any origin, and never with credentials. Headers are set
 * before the answer is made: changing those of a made one copies it, body and all, with every heartbeat.
 */
export function sessionCors(exposed: readonly string[] = []): MiddlewareHandler {
  const exposedNames = exposed.join(",");
  return async (context, next) => {
    context.header("Access-Control-Allow-Origin", "*");
    if (exposedNames !== "") context.header("Access-Control-Expose-Headers", exposedNames);
    if (context.req.method !== "OPTIONS") return next();
    return context.body(null, 204, preflight);
  };
}
