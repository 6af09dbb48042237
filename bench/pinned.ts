import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** Whether processes can be pinned to separate cores on this machine, as text. */
export const pinning = canPin ? "one core each" : "not pinned";

/** Runs a script of this folder in a separate process with IPC, pinned to one core if possible. */
export function spawnPinned(
  script: string,
  core: number,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): ChildProcess {
  const node = [
    process.execPath,
    ...nodeFlags,
    "--import",
    "tsx",
    fileURLToPath(new URL(script, import.meta.url)),
    ...args,
  ];
  const [command, ...rest] = canPin ? ["taskset", "-c", String(core), ...node] : node;
  return spawn(command!, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

/** Sends a message and resolves with the next one that comes back. Rejects if the process ends first. */
export function ask<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error("The process ended before it answered."));
    child.once("exit", onExit);
    child.once("message", (answer) => {
      child.off("exit", onExit);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}
