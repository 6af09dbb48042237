import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { GuardedFetchError } from "./guarded-fetch-error.ts";
import { Fault } from "../faults/fault.ts";

/** An address that a host name resolves to. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Finds every address of a host name. Rejects when it has none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

type Range = readonly [network: string, prefix: number];

/**
 * Never called, whatever is allowed: addresses where no engine can be, and the metadata services of clouds (IANA special-purpose
 * address registries, RFC 6890).
 */
const neverV4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Mapped, translated and tunnelled ranges (such as `::ffff:0:0/96`) contain an IPv4 address, so they are always blocked. */
const neverV6: readonly Range[] = [
  ["::", 128],
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fd00:ec2::254", 128],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** Private ranges: this machine, private networks, carrier-grade NAT, benchmarks. */
const privateV4: readonly Range[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
];

const privateV6: readonly Range[] = [["fc00::", 7]];

const loopbackV6 = "::1";

/** One list per address family: in a combined list, an IPv4 address would also match the rules for mapped ones. */
function blockList(family: "ipv4" | "ipv6", ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const never = { ipv4: blockList("ipv4", neverV4), ipv6: blockList("ipv6", neverV6) };
const ours = { ipv4: blockList("ipv4", privateV4), ipv6: blockList("ipv6", privateV6) };

/** Whether an IP address may be called. False for a text that is not an IP address. */
export function isCallable(address: string, allowPrivate: boolean): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (family === "ipv6" && new URL(`http://[${address.replace(/%.*/, "")}]`).hostname === `[${loopbackV6}]`)
    return allowPrivate;
  if (never[family].check(address, family)) return false;
  return allowPrivate || !ours[family].check(address, family);
}

/** Uses the system's resolver. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * The addresses of a URL's host, all checked. One forbidden address rejects all of them, because a name with both kinds is
 * probably an attack. Throws GuardedFetchError: `not_resolved` or `forbidden_address`.
 */
export async function callableAddresses(
  hostname: string,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<ResolvedAddress[]> {
  const literal = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(literal);
  const addresses =
    version > 0
      ? [{ address: literal, family: version }]
      : await resolve(hostname).catch((cause: unknown) => {
          throw new GuardedFetchError("not_resolved", "The host name has no address.", { cause });
        });
  if (addresses.length === 0) throw new GuardedFetchError("not_resolved", "The host name has no address.");
  if (!addresses.every(({ address }) => isCallable(address, allowPrivate)))
    throw new GuardedFetchError("forbidden_address", "The address is in a network that may not be called.");
  return addresses;
}

/** An address in an entry, which the service will call. */
interface OutboundAddress {
  /** The entry's field that contains it. */
  field: string;
  address: string;
  /** Whether http and private networks are allowed for it. */
  isTrusted: boolean;
  /** Tells the operator how to allow them. */
  remedy: string;
}

/** Tells the operator how to allow http and private networks: for one entry, and for all entries. */
export const allowInEntry = "allow its private network (engine.allow_private)";
export const allowEverywhere = "set VISAVIS_ALLOW_PRIVATE_ADDRESSES=true for the server and its commands";

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
