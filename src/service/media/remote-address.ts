import { BlockList, isIP } from "node:net";
import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { isCallable } from "../outbound-address.ts";

/**
 * Whether media may be sent to candidates in private networks: `auto` where this machine has an address in the same network
 * and is reached by such addresses, `allow` always, `deny` never.
 */
export type PrivateCandidates = "auto" | "allow" | "deny";

/** What decides about addresses. */
export interface RemoteAddressPolicy {
  privateCandidates: PrivateCandidates;
  /** Address that peers are told to reach this machine by, where it stands behind NAT. */
  publicAddress?: string | undefined;
  /** Addresses of this machine. Default: those of now. */
  interfaces?: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
}

/**
 * Whether packets may be sent to an IP address that a client names. Public ones yes; link-local, multicast, unspecified and
 * reserved ones never; those of private networks, and this machine itself, by the policy.
 */
export function isAdmittedAddress(address: string, policy: RemoteAddressPolicy): boolean {
  if (isCallable(address, false)) return true;
  if (policy.privateCandidates === "deny" || !isCallable(address, true)) return false;
  if (policy.privateCandidates === "allow") return true;
  // Who is told a public address comes from outside: what they name inside is not theirs.
  if (policy.publicAddress !== undefined && isCallable(policy.publicAddress, false)) return false;
  return isInOwnNetwork(address, (policy.interfaces ?? networkInterfaces)());
}

/** Whether this machine has an address in the same subnet. Its loopback network is no place where clients are. */
function isInOwnNetwork(address: string, interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): boolean {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter((own) => !own.internal && own.family.toLowerCase() === family && own.cidr !== null)
    .some((own) => {
      const network = new BlockList();
      network.addSubnet(own.address, Number(own.cidr!.split("/")[1]), family);
      return network.check(address, family);
    });
}
