import type { MiddlewareHandler } from "hono";
import { refreshedTokenHeader } from "../protocol/relay-session.ts";

const preflightMaxAgeSec = 600;

/**
 * Lets the requesting page read the response, including errors, so that the widget can explain them. Each route decides
 * who may *use* a context. No credentials: the token is sent in its own header.
 */
export const readableByAskingPage: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header("origin");
  if (c.req.method === "OPTIONS") {
    c.res = new Response(null, {
      status: 204,
      headers: {
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
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

/** Lets every page read the response, which is the same for all pages. */
export const readableByEveryPage: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
};

/** Headers of every response of the relay. */
export const guarded: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "strict-origin-when-cross-origin");
  if (!c.res.headers.has("Content-Security-Policy")) {
    c.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
};
