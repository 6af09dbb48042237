import { Fault } from "./fault.ts";
import { isCallable } from "./outbound-address.ts";

/** An address in an entry, which the service will call. */
export interface OutboundAddress {
  /** The entry's field that contains it. */
  field: string;
  address: string;
  /** Whether http and private networks are allowed for it. */
  isTrusted: boolean;
  /** Tells the operator how to allow them. */
  remedy: string;
}

/** Tells the operator how to allow http and private networks: for one entry, and for all entries. */
export const allowInEntry = "set engine.allow_private to true";
export const allowEverywhere = "set VISAVIS_ALLOW_PRIVATE_ADDRESSES=true, for this command too";

/** The IP address if a host is written as one; null for a name. */
function ipOf(hostname: string): string | null {
  if (/(?:^|\.)localhost$/.test(hostname)) return "127.0.0.1";
  const literal = hostname.replace(/^\[|\]$/g, "");
  return /^[\d.]+$|:/.test(literal) ? literal : null;
}

/** Checks before an entry is saved that the guard of outbound calls will allow its address. Throws a Fault. */
export function checkOutboundAddress({ field, address, isTrusted, remedy }: OutboundAddress): void {
  const refuse = (detail: string): never => {
    throw Fault.invalid("invalid", detail, field);
  };
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse("Set an https address, such as https://server.example/path.");
  if (url.username !== "" || url.password !== "")
    refuse("The address must not contain a user name or password.");
  const ip = ipOf(url.hostname);
  if (ip !== null && !isCallable(ip, true)) refuse(`No server may be called at ${url.hostname}.`);
  if (isTrusted) return;
  if (url.protocol === "http:") refuse(`Set an https address; for one by http, ${remedy}.`);
  if (ip !== null && !isCallable(ip, false))
    refuse(`${url.hostname} is in a private network; if it is meant, ${remedy}.`);
}
