import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { Fault } from "../fault.ts";
import type { ServiceMetrics } from "../metrics.ts";
import { AuthFault } from "./auth-fault.ts";

/** Others are whatever a caller thinks up, and count as one. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The pattern that a request's path matched. One that was turned away at the door has not come to its own route yet. */
function routeOf(context: Context): string {
  const { routeIndex } = context.req;
  const path = routePath(context, routeIndex === 0 ? -1 : routeIndex);
  return path.includes("*") ? "unmatched" : path;
}

function statusOf(error: unknown): number {
  return error instanceof Fault || error instanceof AuthFault ? error.status : 500;
}

/** The outermost middleware, with each of its requests recorded as it is answered. */
export function recorded(
  door: MiddlewareHandler,
  metrics: Pick<ServiceMetrics, "requestAnswered">,
): MiddlewareHandler {
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
    return door(context, next).then(
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
