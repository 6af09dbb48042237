import type { Clock } from "../../clock.ts";
import type { Counter, CounterWindow } from "../../../protocol/counter.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { RateLimit, RateLimits } from "../../service-settings.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import { AuthFault } from "../identity.ts";
import { addressKey, type ClientAddress } from "../node-request.ts";
import { type LoginDevices, loginPath } from "../console/login-device.ts";
import type { HttpContext } from "../http-environment.ts";

const windowMs = 60_000;

const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const reads = new Set(["GET", "HEAD"]);

/** Health checks of load balancers are not limited. */
const uncounted = /^\/(?:healthz|readyz)$/;

/** Headers that pages of other origins may read. */
export const rateLimitHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
];

interface RateLimitDependencies {
  counter: Counter;
  clock: Clock;
  limits: RateLimits;
  clientAddress: ClientAddress;
  /** A browser of an earlier login has its own limit for logins, independent of its address. */
  devices: LoginDevices;
  log: Logger;
}

/** The key that a request is counted under, and the limit of that key. */
async function subject(
  context: HttpContext,
  { limits, clientAddress, devices }: RateLimitDependencies,
): Promise<[string, RateLimit]> {
  const { identity } = context.get("authentication");
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

/** A window and its limit. */
interface LimitedWindow extends CounterWindow {
  limit: number;
}

/** Reports a window in the answer's rate limit headers: the caller's own, or a narrower one. */
export function showWindow(
  context: HttpContext,
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
export type RequestCount = (context: HttpContext) => Promise<void>;

/**
 * Counts each request in its caller's fixed window of a minute, reads and writes separately, and reports the window in the
 * headers of every answer (interface specification, Limits). `refuseExcess` refuses requests beyond the limit.
 */
export function requestCount(dependencies: RateLimitDependencies): RequestCount {
  const { counter, clock, log } = dependencies;
  return async (context) => {
    const { method, path } = context.req;
    const [key, limits] = await subject(context, dependencies);
    const isWrite = writes.has(method);
    const [kind, limit] = isWrite ? ["w", limits.writes] : ["r", limits.reads];
    const amount = (isWrite || reads.has(method)) && !uncounted.test(path) ? 1 : 0;
    // The service goes on without a counter.
    const counted = await counter.add(`${kind}:${key}`, amount, windowMs).catch((error: unknown) => {
      log.warn("requests cannot be counted", { error: String(error) });
      return { total: 0, resetAtMs: clock.nowMs() + windowMs };
    });
    showWindow(context, { ...counted, limit }, clock.nowMs());
    if (amount > 0 && counted.total > limit) context.set("isRateLimitExceeded", true);
  };
}

/** Throws (429) where a request is beyond its caller's limit. Separate from counting, because CORS headers are set between. */
export function refuseExcess(context: HttpContext): void {
  if (context.get("isRateLimitExceeded")) throw AuthFault.rateLimited();
}
