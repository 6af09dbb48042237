import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Two namespaces and the pair of devices that joins the router to this machine. */
export interface Subnet {
  readonly visitor: string;
  readonly router: string;
  /** This machine's address towards the router. */
  readonly hostAddress: string;
  remove(): void;
}

const ip = (...words: string[]): string => execFileSync("ip", words, { encoding: "utf8", stdio: "pipe" });
const tryIp = (...words: string[]): boolean => spawnSync("ip", words, { stdio: "ignore" }).status === 0;

/** Whether a program can be started by its name. */
export function isAvailable(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Removes the namespaces that killed programs left behind. A name contains the id of the process that made it. */
export function removeAbandoned(): void {
  for (const line of ip("netns").split("\n")) {
    const [name = ""] = line.split(" ");
    const owner = /^vv-(\d+)-/.exec(name)?.[1];
    if (owner && !existsSync(`/proc/${owner}`)) tryIp("netns", "del", name);
  }
}

/** How the router passes packets on: with its own address, as at home (needs iptables), or as they are (one link at a time). */
export type Routing = "nat" | "plain";

/**
 * Makes the namespaces and connects the router to this machine. The device's name reserves the subnet: when two programs
 * choose the same number, the kernel refuses the second, which takes the next. Throws when no number is free.
 */
export function claimSubnet(routing: Routing): Subnet {
  const first = process.pid % 200;
  for (let step = 0; step < 200; step++) {
    const number = (first + step) % 200;
    const device = `vvhost${number}`;
    const names = { visitor: `vv-${process.pid}-${number}-v`, router: `vv-${process.pid}-${number}-r` };
    if (!tryIp("link", "add", device, "type", "veth", "peer", "name", `vvrouter${number}`)) continue;
    const remove = (): void => {
      tryIp("link", "del", device);
      for (const name of Object.values(names)) tryIp("netns", "del", name);
    };
    try {
      join(number, device, names, routing);
      return { ...names, hostAddress: `10.213.${number}.1`, remove };
    } catch (error) {
      remove();
      throw error;
    }
  }
  throw new Error("There is no free subnet for a link.");
}

function join(
  number: number,
  device: string,
  { visitor, router }: { visitor: string; router: string },
  routing: Routing,
): void {
  const peer = `vvrouter${number}`;
  ip("netns", "add", visitor);
  ip("netns", "add", router);
  ip("link", "set", peer, "netns", router);
  ip("-n", visitor, "link", "set", "lo", "up");
  ip("-n", router, "addr", "add", `10.213.${number}.2/24`, "dev", peer);
  ip("-n", router, "link", "set", peer, "up");
  ip("addr", "add", `10.213.${number}.1/24`, "dev", device);
  ip("link", "set", device, "up");
  ip("netns", "exec", router, "sysctl", "-qw", "net.ipv4.ip_forward=1");
  if (routing === "plain") ip("route", "add", "10.9.1.0/24", "via", `10.213.${number}.2`);
  else
    ip("netns", "exec", router, "iptables", "-t", "nat", "-A", "POSTROUTING", "-o", peer, "-j", "MASQUERADE");
}
