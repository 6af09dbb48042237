import type { Context } from "hono";
import type { BodyBudget, BodyLease } from "../body-budget.ts";
import { Fault } from "../fault.ts";
import { AuthFault } from "./auth-fault.ts";
import { nodeRequest } from "./node-request.ts";
import type { ClientAddress } from "./rate-limit.ts";

const leaseKey = Symbol("memory for the body");

/** A property of the request, for the reason that `node-request` gives. */
type Leasing = Request & { [leaseKey]?: BodyLease };

/** When to come again, in seconds: slow bodies are cut after 30 s, most are done long before. */
const retryAfterSec = 5;

/** Opens a request's lease, which its body is read with. Whoever calls this in the same process has counted the body. */
export function openBodyLease(
  context: Context,
  budget: BodyBudget | undefined,
  clientAddress: ClientAddress,
): BodyLease | undefined {
  const request = context.req.raw as Leasing;
  if (!budget || !nodeRequest(request)) return undefined;
  // Most requests bring no body, and an address takes time to tell.
  let opened: BodyLease | undefined;
  const lease: BodyLease = {
    take: (bytes) => (opened ??= budget.open(clientAddress(request, context.env))).take(bytes),
    release: () => opened?.release(),
  };
  request[leaseKey] = lease;
  return lease;
}

/** Takes memory for a request's body. Throws a Fault (503) or an AuthFault (429) where there is none. */
export function takeBodyBytes(request: Request, bytes: number): void {
  const refusal = (request as Leasing)[leaseKey]?.take(bytes) ?? null;
  if (refusal === "address") throw AuthFault.tooManyBodyBytes(retryAfterSec);
  if (refusal === "process") throw Fault.busy(retryAfterSec);
}
