import type { MiddlewareHandler } from "hono";
import type { BodyBudget, BodyLease } from "./body-budget.ts";
import type { RelayDeps } from "./relay-deps.ts";

const leaseKey = Symbol("memory for the body");

/** A property of the request, because a weak map would keep requests until the next full garbage collection. */
type Leasing = Request & { [leaseKey]?: BodyLease };

/** Opens a lease on the memory for each request's body, until the request is answered. */
export function leasedBodies(
  budget: BodyBudget,
  clientAddress: RelayDeps["clientAddress"],
): MiddlewareHandler {
  return async (c, next) => {
    const lease = budget.open(clientAddress?.(c.req.raw, c.env) ?? null);
    (c.req.raw as Leasing)[leaseKey] = lease;
    try {
      await next();
    } finally {
      lease.release();
    }
  };
}

/** The lease of a request, if it has one. */
export function bodyLeaseOf(message: object): BodyLease | undefined {
  return (message as Partial<Leasing>)[leaseKey];
}
