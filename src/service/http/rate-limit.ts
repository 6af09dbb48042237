import type { Context } from "hono";
import { addressGroup } from "../../protocol/address-group.ts";
import type { Clock } from "../clock.ts";
import type { Counter, CounterWindow } from "../counter.ts";
import type { Log } from "../log.ts";
import type { RateLimit, RateLimits } from "../service-settings.ts";
import { answerHeaders } from "./answer-headers.ts";
import { AuthFault } from "./auth-fault.ts";
import { loginPath } from "./login-device.ts";
import type { LoginDevices } from "./login-device.ts";
import { visit } from "./visit.ts";

const windowMs = 60_000;

const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const reads = new Set(["GET", "HEAD"]);

/** Checks of load balancers are answered at any rate. */
const uncounted = /^\/(?:healthz|readyz)$/;

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
  /** Browsers of earlier logins log in by a count of their own, whoever else is at their address. */
  devices: LoginDevices;
  log: Log;
}

/** The client address as a counter's key: IPv6 by its /64. */
export function addressKey(context: Context, clientAddress: ClientAddress): string {
  const address = clientAddress(context.req.raw, context.env);
  return `address:${address === null ? "unknown" : addressGroup(address)}`;
}

/** Under which key a request is counted, and how much that key may. */
async function subject(
  context: Context,
  { limits, clientAddress, devices }: RateLimitDependencies,
): Promise<[string, RateLimit]> {
  const { identity } = visit(context);
  switch (identity.by) {
    case "key":
      return [`key:${identity.keyId}`, limits.key];
    case "operator":
      return [`console:${identity.session.id}`, limits.key];
    case "session":
      return [`session:${identity.sessionId}`, limits.session];
    case "nobody": {
      const device = context.req.path === loginPath ? await devices.of(context) : null;
      return [device === null ? addressKey(context, clientAddress) : `device:${device}`, limits.address];
    }
  }
}

/** A window and how much it may hold. */
interface LimitedWindow extends CounterWindow {
  limit: number;
}

/** Makes the answer's headers tell of a window: the caller's own, or a narrower one. */
export function showWindow(
  context: Context,
  { limit, total, resetAtMs }: LimitedWindow,
  nowMs: number,
): void {
  const headers = answerHeaders(context);
  headers["X-RateLimit-Limit"] = String(limit);
  headers["X-RateLimit-Remaining"] = String(Math.max(0, limit - total));
  headers["X-RateLimit-Reset"] = String(Math.ceil(resetAtMs / 1000));
  if (total > limit) headers["Retry-After"] = String(Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000)));
}

/** Counts a request. */
export type RequestCount = (context: Context) => Promise<void>;

/**
 * Counts each request in its caller's fixed window of a minute, reads and writes apart, and says in the headers of every
 * answer where the window stands (interface specification, Limits). `refuseExcess` ends what is too much.
 */
export function requestCount(dependencies: RateLimitDependencies): RequestCount {
  const { counter, clock, log } = dependencies;
  return async (context) => {
    const { method, path } = context.req;
    const [key, limits] = await subject(context, dependencies);
    const isWrite = writes.has(method);
    const [kind, limit] = isWrite ? ["w", limits.writes] : ["r", limits.reads];
    const amount = (isWrite || reads.has(method)) && !uncounted.test(path) ? 1 : 0;
    // A counter that does not answer must not take the service down with it.
    const window = await counter.add(`${kind}:${key}`, amount, windowMs).catch((error: unknown) => {
      log.warn("requests cannot be counted", { error: String(error) });
      return { total: 0, resetAtMs: clock.nowMs() + windowMs };
    });
    showWindow(context, { ...window, limit }, clock.nowMs());
    if (amount > 0 && window.total > limit) context.set("excess", true);
  };
}

/** Throws where a request is beyond its caller's limit: 429. Apart from the counting, because CORS headers come between. */
export function refuseExcess(context: Context): void {
  if (context.get("excess")) throw AuthFault.rateLimited();
}
