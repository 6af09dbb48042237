import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { freePort } from "../../test/free-port.ts";
import { patience } from "./patience.ts";

/** The API key of every server under test. It must appear nowhere in what they send or print. */
export const canaryKey = "vv_canary_4f9d1c7be2a84e0f93c55b0aa1d7e6c2";

/** Where a running `visavis` command is, for any process of the tests. */
export interface StartedServer {
  origin: string;
  pid: number;
  dataFolder: string;
  /** Everything that it writes. */
  logFile: string;
}

/** A running `visavis` command and what it wrote. */
export interface Server extends StartedServer {
  output(): string;
  isRunning(): boolean;
  /** Process ids of its media processes. */
  mediaPids(): number[];
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** The servers that this process uses: those it has started and not ended, and the one that all share. */
const running = new Set<Server>();

/** Begins to note what the running servers write. Call the result for their lines since then. */
export function noteServerLogs(): () => string {
  const marks = new Map([...running].map((server) => [server, server.output().length]));
  return () =>
    [...new Set([...marks.keys(), ...running])]
      .map((server) => server.output().slice(marks.get(server) ?? 0))
      .join("");
}

/** Only for a server that hangs: one that ends is noticed at once. */
const startLimitMs = 2 * patience;

async function untilReady(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  const limit = AbortSignal.timeout(startLimitMs);
  while (!limit.aborted) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server exited:\n${output()}`);
    const ready = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await elapse(50);
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not become ready:\n${output()}`);
}

/** The demo contexts of a machine with PocketSphinx have a recognizer. Tests that want one choose it, so that all others run alike. */
async function chooseNoRecognizer(origin: string, apiKey: string): Promise<void> {
  const headers = { "ServicePlatform-APIKey": apiKey, "content-type": "application/json" };
  const list = await fetch(`${origin}/api/console/b2c/contexts/?limit=100`, { headers });
  const contexts = (list.ok ? await list.json() : []) as {
    id: string;
    embed_config: Record<string, unknown>;
  }[];
  for (const context of contexts.filter(({ embed_config }) => embed_config["stt_type"] === "pocketsphinx")) {
    context.embed_config["stt_type"] = "auto";
    const body = JSON.stringify(context);
    await fetch(`${origin}/api/console/b2c/contexts/${context.id}/`, { method: "PUT", headers, body });
  }
}

function mediaChildrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return ppid === parent && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("media-process");
      } catch {
        return false;
      }
    })
    .map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A server that another process of the tests has started, and ends. */
export function serverOf(started: StartedServer): Server {
  const { pid, logFile } = started;
  const refuse = (): never => {
    throw new Error("All tests share this server.");
  };
  const server: Server = {
    ...started,
    output: () => readFileSync(logFile, "utf8"),
    isRunning: () => isAlive(pid),
    mediaPids: () => mediaChildrenOf(pid),
    stop: refuse,
    kill: refuse,
  };
  running.add(server);
  return server;
}

/** Starts `visavis <command>` from the build, or from where it is installed, with a data folder of its own. */
export async function startServer(
  command: "start" | "service" | "relay" = "start",
  env: Record<string, string> = {},
  program: readonly [string, ...string[]] = [process.execPath, "dist/server/main.js"],
): Promise<Server> {
  const port = Number(env["PORT"] ?? (await freePort()));
  const data = env["VISAVIS_DATA"] ?? mkdtempSync(join(tmpdir(), "visavis-e2e-"));
  const logFolder = mkdtempSync(join(tmpdir(), "visavis-log-"));
  const logFile = join(logFolder, "output.txt");
  const log = openSync(logFile, "a");
  const child = spawn(program[0], [...program.slice(1), command], {
    env: { ...process.env, PORT: String(port), VISAVIS_DATA: data, VISAVIS_API_KEY: canaryKey, ...env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const output = (): string => readFileSync(logFile, "utf8");
  const origin = `http://localhost:${port}`;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilReady(origin, child, output);
  if (command !== "relay" && !env["VISAVIS_DATA"])
    await chooseNoRecognizer(origin, env["VISAVIS_API_KEY"] ?? canaryKey);
  const pid = child.pid ?? 0;
  let last = "";
  const server: Server = {
    origin,
    pid,
    dataFolder: data,
    logFile,
    output: () => (existsSync(logFile) ? output() : last),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    mediaPids: () => mediaChildrenOf(pid),
    stop: async () => {
      child.kill("SIGTERM");
      const forced = setTimeout(() => child.kill("SIGKILL"), patience);
      await exited;
      clearTimeout(forced);
      running.delete(server);
      // A test may have stopped it before.
      last = server.output();
      rmSync(logFolder, { recursive: true, force: true });
      if (!env["VISAVIS_DATA"]) rmSync(data, { recursive: true, force: true });
    },
    kill: () => {
      child.kill("SIGKILL");
      return exited;
    },
  };
  running.add(server);
  return server;
}
