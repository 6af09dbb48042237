import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../clock.ts";
import type { Counter, CounterWindow } from "../counter.ts";
import type { Log } from "../log.ts";
import type { RateLimit, RateLimits } from "../service-settings.ts";
import { AuthFault } from "./auth-fault.ts";
import { visit } from "./visit.ts";

const windowMs = 60_000;

const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const reads = new Set(["GET", "HEAD"]);

/** Checks of load balancers are answered at any rate. */
const uncounted = /^\/(?:healthz|readyz|metrics)$/;

/** What browser clients may read of another origin's answer. */
export const rateLimitHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
];

/** The address that a request came from; null where it cannot be told. */
export type ClientAddress = (request: Request, environment: unknown) => string | null;

interface RateLimitDependencies {
  counter: Counter;
  clock: Clock;
  limits: RateLimits;
  clientAddress: ClientAddress;
  log: Log;
}

/** The client address as a counter's key. */
export function addressKey(context: Context, clientAddress: ClientAddress): string {
  return `address:${clientAddress(context.req.raw, context.env) ?? "unknown"}`;
}

/** Under which key a request is counted, and how much that key may. */
function subject(context: Context, { limits, clientAddress }: RateLimitDependencies): [string, RateLimit] {
  const { identity } = visit(context);
  switch (identity.by) {
    case "key":
      return [`key:${identity.keyId}`, limits.key];
    case "operator":
      return [`console:${identity.session.id}`, limits.key];
    case "session":
      return [`session:${identity.sessionId}`, limits.session];
    case "nobody":
      return [addressKey(context, clientAddress), limits.address];
  }
}

/** A window and how much it may hold. */
interface LimitedWindow extends CounterWindow {
  limit: number;
}

/** Makes a window the one that the answer's headers tell of: the caller's own, or a narrower one. */
export function showWindow(context: Context, window: LimitedWindow): void {
  context.set("window", window);
}

/** Writes into the finished answer, because headers that are set before are copied by everything in between. */
function writeHeaders(
  { headers }: Response,
  { limit, total, resetAtMs }: LimitedWindow,
  nowMs: number,
): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(Math.max(0, limit - total)));
  headers.set("X-RateLimit-Reset", String(Math.ceil(resetAtMs / 1000)));
  if (total > limit) headers.set("Retry-After", String(Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000))));
}

/**
 * Counts each request in its caller's fixed window of a minute, reads and writes apart, and says in the headers of every
 * answer where the window stands (interface specification, Limits). `refuseExcess` ends what is too much.
 */
export function countRequests(dependencies: RateLimitDependencies): MiddlewareHandler {
  const { counter, clock, log } = dependencies;
  return async (context, next) => {
    const { method, path } = context.req;
    const [key, limits] = subject(context, dependencies);
    const [kind, limit] = writes.has(method) ? ["w", limits.writes] : ["r", limits.reads];
    const amount = (writes.has(method) || reads.has(method)) && !uncounted.test(path) ? 1 : 0;
    // A counter that does not answer must not take the service down with it.
    const window = await counter.add(`${kind}:${key}`, amount, windowMs).catch((error: unknown) => {
      log.warn("requests cannot be counted", { error: String(error) });
      return { total: 0, resetAtMs: clock.nowMs() + windowMs };
    });
    showWindow(context, { ...window, limit });
    if (amount > 0 && window.total > limit) context.set("excess", true);
    await next();
    writeHeaders(context.res, context.get("window") as LimitedWindow, clock.nowMs());
  };
}

/** Throws where a request is beyond its caller's limit: 429. Apart from the counting, so that CORS headers come between. */
export function refuseExcess(context: Context): void {
  if (context.get("excess")) throw AuthFault.rateLimited();
}
