import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpContext } from "../http-environment.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const preflight = {
  "Access-Control-Allow-Methods": "GET,POST,PUT,DELETE",
  "Access-Control-Allow-Headers":
    "Content-Type,Accept,Authorization,ServicePlatform-APIKey,XP-API-KEY,xi-api-key",
  "Access-Control-Max-Age": "600",
};

const exposed = [...rateLimitHeaders, "Location", "Link"].join(",");

/**
 * Lets pages of the listed origins read the answers to calls with an API key, never with cookies. Origins are compared
 * exactly: `https://shop.example` matches neither its subdomains nor another port. Returns the answer to a preflight
 * request; null for other requests and other origins.
 */
export function listedOriginsCors(origins: ReadonlySet<string>): (context: HttpContext) => Response | null {
  return (context) => {
    if (origins.size === 0) return null;
    const headers = answerHeaders(context);
    // A cache must not give one origin's answer to another.
    headers["Vary"] = "Origin";
    const origin = context.req.header("origin");
    if (origin === undefined || !origins.has(origin)) return null;
    headers["Access-Control-Allow-Origin"] = origin;
    headers["Access-Control-Expose-Headers"] = exposed;
    if (context.req.method !== "OPTIONS") return null;
    return context.body(null, 204, { ...preflight, ...headers });
  };
}
