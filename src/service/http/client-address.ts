import { addressGroup } from "../../protocol/address-group.ts";
import type { HttpContext } from "./http-environment.ts";

/** The address that a request came from; null where it is unknown. */
export type ClientAddress = (request: Request, environment: unknown) => string | null;

/** The client's address as a counter's key. IPv6 addresses are counted by their /64 network. */
export function addressKey(context: HttpContext, clientAddress: ClientAddress): string {
  const address = clientAddress(context.req.raw, context.env);
  return `address:${address === null ? "unknown" : addressGroup(address)}`;
}
