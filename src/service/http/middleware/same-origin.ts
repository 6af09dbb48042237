import type { HttpContext } from "../http-environment.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** Whether a request changes something. */
export function isUnsafe(context: HttpContext): boolean {
  return !safeMethods.has(context.req.method);
}

/**
 * Whether one of our own pages sent the request: by `Sec-Fetch-Site` where the browser sends it, else by `Origin`.
 * `unknown`: no current browser sent it.
 */
export function requestSource(context: HttpContext, publicUrl: string): "own" | "foreign" | "unknown" {
  const site = context.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" ? "own" : "foreign";
  const origin = context.req.header("origin");
  if (origin === undefined) return "unknown";
  return origin === originOf(publicUrl) ? "own" : "foreign";
}

/**
 * Whether a request with the console's cookie was intended by the operator (a check against cross-site request forgery). It
 * must come from our own page and have what a form of another page cannot send: a JSON body or `X-Requested-With`.
 */
export function isIntended(context: HttpContext, publicUrl: string): boolean {
  if (requestSource(context, publicUrl) !== "own") return false;
  const json = /^application\/json(?:;|$)/i.test(context.req.header("content-type") ?? "");
  return json || context.req.header("x-requested-with") !== undefined;
}
