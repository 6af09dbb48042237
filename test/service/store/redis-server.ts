import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listening } from "./server-port.ts";
import { freePort } from "../../free-port.ts";

const program = "/usr/bin/redis-server";

/** Whether Redis is installed on this machine. */
export const hasRedis = existsSync(program);

/** A real Redis in a temporary folder. */
export interface RedisServer {
  url: string;
  /** Stops it. `start` starts it again at the same address, empty. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Suspends it: connections stay open and nothing is answered. `wake` resumes it. */
  hang(): void;
  wake(): void;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** Starts a Redis on a free port. Requires `hasRedis`. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-redis-"));
  const port = await freePort();
  let signal: (name: NodeJS.Signals) => void = () => undefined;
  let stop: () => Promise<void> = () => Promise.resolve();

  async function start(): Promise<void> {
    const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
    const child = spawn(program, ["--port", String(port), ...settings], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    signal = (name) => void child.kill(name);
    stop = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    await listening(port, () => child.exitCode === null);
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: () => stop(),
    hang: () => signal("SIGSTOP"),
    wake: () => signal("SIGCONT"),
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
