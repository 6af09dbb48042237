import type { Context } from "hono";
import { answerHeaders } from "./answer-headers.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const preflight = {
  "Access-Control-Allow-Methods": "GET,POST,PUT,DELETE",
  "Access-Control-Allow-Headers":
    "Content-Type,Accept,Authorization,ServicePlatform-APIKey,XP-API-KEY,xi-api-key",
  "Access-Control-Max-Age": "600",
};

/**
 * Lets pages of the listed origins read the answers of calls with an API key, and never with cookies. Origins are compared
 * as they are: `https://shop.example` is neither its subdomains nor another port. Returns the answer to a preflight; null
 * where the request is none, or comes from elsewhere.
 */
export function openToListedOrigins(origins: ReadonlySet<string>): (context: Context) => Response | null {
  return (context) => {
    if (origins.size === 0) return null;
    const headers = answerHeaders(context);
    // Caches must not show one origin's answer to another.
    headers["Vary"] = "Origin";
    const origin = context.req.header("origin");
    if (origin === undefined || !origins.has(origin)) return null;
    headers["Access-Control-Allow-Origin"] = origin;
    headers["Access-Control-Expose-Headers"] = [...rateLimitHeaders, "Location", "Retry-After"].join(",");
    if (context.req.method !== "OPTIONS") return null;
    return context.body(null, 204, { ...preflight, ...headers });
  };
}
