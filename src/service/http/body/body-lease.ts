import type { BodyBudget, BodyLease } from "../../body-budget.ts";
import { AuthFault } from "../auth-fault.ts";
import { Fault } from "../../fault.ts";
import type { HttpContext } from "../http-environment.ts";
import type { ClientAddress } from "../client-address.ts";
import { nodeRequest } from "../node-request.ts";

/** When to try again, in seconds: slow bodies are cut off after 30 s, and most are read long before. */
const retryAfterSec = 5;

/**
 * Opens the lease on memory that the request's body is read with. Undefined for calls within the process: their body has
 * been counted by the caller.
 */
export function openBodyLease(
  context: HttpContext,
  budget: BodyBudget | undefined,
  clientAddress: ClientAddress,
): BodyLease | undefined {
  if (!budget || !nodeRequest(context)) return undefined;
  // Opened at the first byte: most requests have no body, and finding the address takes time.
  let opened: BodyLease | undefined;
  const lease: BodyLease = {
    take: (bytes) => (opened ??= budget.open(clientAddress(context.req.raw, context.env))).take(bytes),
    release: () => opened?.release(),
  };
  context.set("bodyLease", lease);
  return lease;
}

/** Takes memory for the request's body. Throws a Fault (503) or an AuthFault (429) where none is left. */
export function takeBodyBytes(context: HttpContext, bytes: number): void {
  const refusal = context.get("bodyLease")?.take(bytes) ?? null;
  if (refusal === "address") throw AuthFault.tooManyBodyBytes(retryAfterSec);
  if (refusal === "process") throw Fault.busy(retryAfterSec);
}
