import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Pins some processes to the first core and others to the remaining ones. Returns whether the system allows it. */
export function holdToOneCore(served: readonly number[], others: readonly number[]): boolean {
  const last = availableParallelism() - 1;
  if (last === 0) return false;
  const hold = (cores: string, pid: number): unknown =>
    execFileSync("taskset", ["-acp", cores, String(pid)], { stdio: "ignore" });
  try {
    for (const pid of served) hold("0", pid);
    for (const pid of others) hold(`1-${last}`, pid);
    return true;
  } catch {
    return false;
  }
}
