import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** How a command ended. */
export interface Ended {
  code: number;
  /** Whether it was ended at its limit. */
  late: boolean;
  /** Everything it wrote; empty where it was shown instead. */
  output: string;
  seconds: number;
}

interface CommandOptions {
  /** Its output goes to this terminal as it comes. */
  shows?: boolean;
  /** After that long it is ended, with all processes that it started. */
  limitMs?: number;
  env?: Readonly<Record<string, string>>;
}

/** How long a command that is told to end may take before it is killed. */
const graceMs = 10_000;

/** Signals a command and what it started. The processes may have ended meanwhile. */
function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Runs a program of the project or the system. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { shows = false, limitMs, env = {} }: CommandOptions = {},
): Promise<Ended> {
  const startMs = performance.now();
  const child = spawn(program, args, {
    stdio: ["ignore", shows ? "inherit" : "pipe", shows ? "inherit" : "pipe"],
    env: {
      ...process.env,
      ...env,
      PATH: `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    },
    // A group of its own, so that it can be ended with all that it has started.
    detached: true,
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => void pieces.push(piece));
  const { pid } = child;
  let late = false;
  const timers: NodeJS.Timeout[] = [];
  const endAll = (name: NodeJS.Signals) => (): void => {
    if (pid !== undefined) signal(pid, name);
  };
  if (limitMs !== undefined)
    timers.push(
      setTimeout(() => {
        late = true;
        endAll("SIGTERM")();
      }, limitMs),
      setTimeout(endAll("SIGKILL"), limitMs + graceMs),
    );
  const interrupted = endAll("SIGTERM");
  process.once("exit", interrupted);
  const code = await new Promise<number>((end, fail) => {
    child.once("error", fail);
    child.once("close", (exitCode) => {
      end(exitCode ?? 1);
    });
  });
  timers.forEach(clearTimeout);
  process.off("exit", interrupted);
  return {
    code,
    late,
    output: Buffer.concat(pieces).toString(),
    seconds: (performance.now() - startMs) / 1_000,
  };
}
