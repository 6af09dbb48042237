import { BlockList, isIP } from "node:net";
import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { isCallable } from "../../outbound/outbound-address.ts";

/**
 * Whether media may be sent to candidates in private networks. `auto`: if this machine has an address in the same network and
 * no public address is set. `allow`: always. `deny`: never.
 */
export type PrivateCandidates = "auto" | "allow" | "deny";

/** The settings that decide about addresses. */
export interface RemoteAddressPolicy {
  privateCandidates: PrivateCandidates;
  /** Public address of this machine, which clients get instead of its own; set it behind NAT. */
  publicAddress?: string | undefined;
  /** Reads the addresses of this machine. Default: from the operating system. */
  interfaces?: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
}

/**
 * Whether packets may be sent to an IP address from a client. Public addresses are allowed. Link-local, multicast, unspecified
 * and reserved addresses are never allowed. For private networks and this machine itself, the policy decides.
 */
export function isAdmittedAddress(address: string, policy: RemoteAddressPolicy): boolean {
  if (isCallable(address, false)) return true;
  if (policy.privateCandidates === "deny" || !isCallable(address, true)) return false;
  if (policy.privateCandidates === "allow") return true;
  // Clients that get a public address are outside this network, so private addresses that they send are not their own.
  if (policy.publicAddress !== undefined && isCallable(policy.publicAddress, false)) return false;
  return isInOwnNetwork(address, (policy.interfaces ?? networkInterfaces)());
}

/** Whether this machine has an address in the same subnet. Its loopback network does not count, because no clients are there. */
function isInOwnNetwork(address: string, interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): boolean {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter((own) => !own.internal && own.family.toLowerCase() === family)
    .some(({ address: own, cidr }) => {
      if (cidr === null) return false;
      const network = new BlockList();
      network.addSubnet(own, Number(cidr.split("/")[1]), family);
      return network.check(address, family);
    });
}
