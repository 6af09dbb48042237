import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { Fault } from "../../faults/fault.ts";
import type { ServiceMetrics } from "../../metrics/metrics.ts";
import { AuthFault } from "../identity.ts";
import type { HttpContext, HttpEnvironment } from "../http-environment.ts";

/** All other methods are counted as one, because callers can make up any number of them. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The pattern that the request's path matched, also where middleware refused the request before its route. */
function routeOf(context: HttpContext): string {
  const { routeIndex } = context.req;
  const path = routePath(context, routeIndex === 0 ? -1 : routeIndex);
  return path.includes("*") ? "unmatched" : path;
}

function statusOf(error: unknown): number {
  return error instanceof Fault || error instanceof AuthFault ? error.status : 500;
}

/** Wraps the outermost middleware, so that every request is recorded once it is answered. */
export function withRequestMetrics(
  middleware: MiddlewareHandler<HttpEnvironment>,
  metrics: Pick<ServiceMetrics, "requestAnswered">,
): MiddlewareHandler<HttpEnvironment> {
  return (context, next) => {
    const startedMs = performance.now();
    const record = (status: number): void => {
      const { method } = context.req;
      metrics.requestAnswered({
        method: knownMethods.has(method) ? method : "other",
        route: routeOf(context),
        status,
        durationSec: (performance.now() - startedMs) / 1000,
      });
    };
    return middleware(context, next).then(
      (early) => {
        record((early ?? context.res).status);
        return early;
      },
      (error: unknown) => {
        record(statusOf(error));
        throw error;
      },
    );
  };
}
