import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** How a command ended. */
export interface Ended {
  code: number;
  /** Everything it wrote; empty where it was shown instead. */
  output: string;
  seconds: number;
}

/** Runs a program of the project or the system. `shows`: its output goes to this terminal as it comes. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { shows = false } = {},
): Promise<Ended> {
  const startMs = performance.now();
  const child = spawn(program, args, {
    stdio: ["ignore", shows ? "inherit" : "pipe", shows ? "inherit" : "pipe"],
    env: { ...process.env, PATH: `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => void pieces.push(piece));
  const code = await new Promise<number>((end, fail) => {
    child.once("error", fail);
    child.once("close", (exitCode) => {
      end(exitCode ?? 1);
    });
  });
  return { code, output: Buffer.concat(pieces).toString(), seconds: (performance.now() - startMs) / 1_000 };
}
