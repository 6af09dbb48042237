import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Read at the start: a process that is pinned later sees its own cores only. */
const lastCore = availableParallelism() - 1;

/** Pins some processes to the first core and others to the remaining ones. Returns whether the system allows it. */
export function holdToOneCore(served: readonly number[], others: readonly number[]): boolean {
  if (lastCore === 0) return false;
  const hold = (cores: string, pid: number): unknown =>
    execFileSync("taskset", ["-acp", cores, String(pid)], { stdio: "ignore" });
  try {
    for (const pid of served) hold("0", pid);
    for (const pid of others) hold(`1-${lastCore}`, pid);
    return true;
  } catch {
    return false;
  }
}
