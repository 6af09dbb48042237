import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { claimSubnet, isAvailable, removeAbandoned, type Routing, type Subnet } from "./namespaces.ts";

/** The network's quality, in each direction. */
export interface LinkQuality {
  /** One way. A round trip takes twice as long. */
  delayMs?: number;
  jitterMs?: number;
  lossPercent?: number;
  /** 0: unlimited. */
  rateKbps?: number;
  /** A link without NAT cannot be cut. */
  routing?: Routing;
}

/** What the router drops. `large` drops video, but not sound, pings and TCP acknowledgements. */
export type Dropped = "all" | "udp" | "to-visitor" | "large-udp-to-visitor";

/** A separate network between a visitor's browser and this machine: a NAT router and a line that can be degraded or cut. */
export interface LossyLink {
  /** This machine's address as the visitor reaches it. */
  readonly hostAddress: string;
  /** A program that starts the given browser as the visitor. */
  browser(program: string): string;
  /** Drops packets silently from now on: no interface goes down, nothing is refused. */
  cut(what?: Dropped): void;
  /** Drops no more packets than the quality says. */
  mend(): void;
  /** Drops all packets for a while. Resolves when the link is mended. */
  cutFor(durationMs: number): Promise<void>;
  close(): void;
}

const rules: Record<Dropped, string[]> = {
  all: [],
  udp: ["-p", "udp"],
  "to-visitor": ["-d", "10.9.1.2"],
  "large-udp-to-visitor": ["-d", "10.9.1.2", "-p", "udp", "-m", "length", "--length", "500:65535"],
};

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });

/** The reason why this machine cannot create a link, or null. */
export function linkProblem(routing: Routing = "nat"): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "Network namespaces need root on Linux.";
  if (!existsSync("/dev/net/tun")) return "There is no /dev/net/tun.";
  const missing = ["ip", "python3", ...(routing === "nat" ? ["iptables"] : [])].find(
    (program) => !isAvailable(program),
  );
  if (missing) return `The program ${missing} is not installed.`;
  try {
    ip("netns", "add", `vv-${process.pid}-probe`);
    ip("netns", "del", `vv-${process.pid}-probe`);
    return null;
  } catch {
    return "Network namespaces are not allowed here.";
  }
}

async function startLine(subnet: Subnet, quality: LinkQuality): Promise<ChildProcess> {
  const { delayMs = 0, jitterMs = 0, lossPercent = 0, rateKbps = 0 } = quality;
  const script = fileURLToPath(new URL("link.py", import.meta.url));
  const numbers = [delayMs, jitterMs, lossPercent, rateKbps].map(String);
  const line = spawn("python3", [script, subnet.visitor, subnet.router, ...numbers], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let told = "";
  line.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    line.stdout.on("data", () => resolve());
    line.once("exit", () => reject(new Error(`The line did not start:\n${told}`)));
  });
  return line;
}

/** Makes a link. Its names and addresses are unique, so that several can exist at once. Check `linkProblem` first. */
export async function openLossyLink(quality: LinkQuality = {}): Promise<LossyLink> {
  removeAbandoned();
  const subnet = claimSubnet(quality.routing ?? "nat");
  const folder = mkdtempSync(join(tmpdir(), "visavis-link-"));
  let line: ChildProcess | undefined;
  const close = (): void => {
    process.off("exit", close);
    line?.stdin?.end();
    line?.kill();
    subnet.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", close);
  try {
    line = await startLine(subnet, quality);
  } catch (error) {
    close();
    throw error;
  }
  const router = (...words: string[]): void => ip("netns", "exec", subnet.router, "iptables", ...words);
  const cut = (what: Dropped = "all"): void => router("-I", "FORWARD", ...rules[what], "-j", "DROP");
  const mend = (): void => router("-F", "FORWARD");
  return {
    hostAddress: subnet.hostAddress,
    browser: (program) => {
      const path = join(folder, "browser");
      writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${subnet.visitor} '${program}' "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    },
    cut,
    mend,
    cutFor: async (durationMs) => {
      cut();
      await elapse(durationMs);
      mend();
    },
    close,
  };
}
