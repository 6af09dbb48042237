import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, it } from "vitest";
import {
  isAdmittedAddress,
  type PrivateCandidates,
} from "../../../../src/service/media/negotiation/remote-address.ts";

function own(address: string, prefix: number, internal = false): NetworkInterfaceInfo {
  const shared = { address, netmask: "", mac: "", internal, cidr: `${address}/${prefix}` };
  return address.includes(":") ? { ...shared, family: "IPv6", scopeid: 0 } : { ...shared, family: "IPv4" };
}

const interfaces = () => ({
  lo: [own("127.0.0.1", 8, true), own("::1", 128, true)],
  lan: [own("192.168.7.2", 24), own("fd12:3456::2", 64)],
});

const isAdmitted = (address: string, privateCandidates: PrivateCandidates, publicAddress?: string): boolean =>
  isAdmittedAddress(address, { privateCandidates, publicAddress, interfaces });

describe("an address in a client's candidates", () => {
  it.each(["8.8.8.8", "2606:4700::1"])("is accepted if it is public: %s", (address) => {
    for (const setting of ["auto", "allow", "deny"] as const) expect(isAdmitted(address, setting)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "::",
    "fe80::1",
    "ff02::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "localhost",
  ])("is never admitted where it is no host's own: %s", (address) => {
    for (const setting of ["auto", "allow", "deny"] as const)
      expect(isAdmitted(address, setting)).toBe(false);
  });

  it.each([
    ["192.168.7.99", true],
    ["192.168.8.99", false],
    ["10.0.0.1", false],
    ["172.17.0.1", false],
    ["100.64.0.1", false],
    ["127.0.0.1", false],
    ["::1", false],
    ["fd12:3456::99", true],
    ["fd12:3457::99", false],
  ])("is admitted by `auto` in this machine's own network alone: %s %s", (address, expected) => {
    expect(isAdmitted(address, "auto")).toBe(expected);
    expect(isAdmitted(address, "allow")).toBe(true);
    expect(isAdmitted(address, "deny")).toBe(false);
  });

  it("in a private network is not accepted by `auto` behind a public address", () => {
    expect(isAdmitted("192.168.7.99", "auto", "8.8.4.4")).toBe(false);
    expect(isAdmitted("192.168.7.99", "auto", "192.168.7.2")).toBe(true);
  });
});
