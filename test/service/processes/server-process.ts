import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { until } from "../../patience.ts";
import { freePort } from "../../free-port.ts";

/** A line of a server's log. */
type LogLine = Record<string, unknown> & { level: string; message: string };

/** A running server. */
export interface ServerProcess {
  url: string;
  pid: number;
  lines: LogLine[];
  /** Resolves when it has logged a message the given number of times. */
  logged(message: string, times: number): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Stops it gracefully. Resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Runs a command of the built server on a free port. Resolves when it is ready. */
export async function startServer(
  main: string,
  command: string,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [main, command], {
    env: { PATH: process.env["PATH"], PORT: String(port), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: LogLine[] = [];
  const other: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as LogLine);
    else other.push(line);
  });
  const ready = async (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the server", () => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${other.join("\n")}`);
    return ready();
  });
  return {
    url,
    pid: child.pid!,
    lines,
    async logged(message, times) {
      await until(message, () => lines.filter((line) => line.message === message).length >= times);
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    end() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}
