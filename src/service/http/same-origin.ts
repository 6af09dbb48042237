import type { Context } from "hono";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** Whether a request changes something. */
export function isUnsafe(context: Context): boolean {
  return !safeMethods.has(context.req.method);
}

/**
 * Whether a page of ours sent the request, as far as the browser tells: `Sec-Fetch-Site` where it is sent, else `Origin`.
 * `unknown`: no browser of today sent it.
 */
export function requestSource(context: Context, publicUrl: string): "own" | "foreign" | "unknown" {
  const site = context.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" ? "own" : "foreign";
  const origin = context.req.header("origin");
  if (origin === undefined) return "unknown";
  return origin === originOf(publicUrl) ? "own" : "foreign";
}

/**
 * Whether a request that carries the console's cookie was meant by the operator. Beside the source it must have what a
 * form of another page cannot send: a JSON body or the header `X-Requested-With`.
 */
export function isMeant(context: Context, publicUrl: string): boolean {
  if (requestSource(context, publicUrl) !== "own") return false;
  const json = /^application\/json(?:;|$)/i.test(context.req.header("content-type") ?? "");
  return json || context.req.header("x-requested-with") !== undefined;
}
