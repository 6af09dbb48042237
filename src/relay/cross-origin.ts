import type { MiddlewareHandler } from "hono";
import { refreshedTokenHeader } from "../protocol/relay-api.ts";

const preflightMaxAgeSec = 600;

/**
 * Lets the asking page read the answer, refusals included: who may *use* a context is decided by each route, and a
 * refusal that cannot be read could not be explained. No credentials: the token travels in a header of its own.
 */
export const readableByAskingPage: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header("origin");
  if (c.req.method === "OPTIONS") {
    c.res = new Response(null, {
      status: 204,
      headers: {
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Allow-Headers": "authorization, content-type",
        "Access-Control-Max-Age": String(preflightMaxAgeSec),
      },
    });
  } else {
    await next();
  }
  c.header("Vary", "Origin", { append: true });
  if (origin === undefined) return;
  c.header("Access-Control-Allow-Origin", origin);
  c.header("Access-Control-Expose-Headers", `${refreshedTokenHeader}, Retry-After, X-RateLimit-Reset`);
};

/** Lets every page read the answer; it is the same for all of them. */
export const readableByEveryPage: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
};

/** Headers that every answer of the relay carries. */
export const guarded: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "strict-origin-when-cross-origin");
  if (!c.res.headers.has("Content-Security-Policy")) {
    c.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
};
