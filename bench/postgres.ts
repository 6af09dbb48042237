import { readFileSync, readdirSync } from "node:fs";
import { hasPostgres, startPostgres } from "../test/service/store/postgres-server.ts";
import { usageOf } from "./media-stage.ts";

/** An empty Postgres database to measure on. */
export interface BenchDatabase {
  url: string;
  /** CPU time of its server so far; null if the server was not started here. */
  cpuMs(): number | null;
  close(): Promise<void>;
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** CPU time of the server and its child processes. Processes that have ended are not included. */
function serverCpuMs(serverPid: number): number {
  let sum = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (Number.isNaN(pid)) continue;
    try {
      if (pid === serverPid || parentOf(pid) === serverPid) sum += usageOf(pid).cpuMs;
    } catch {
      // It has just ended.
    }
  }
  return sum;
}

/**
 * The database of `DATABASE_URL`, or one on a new server that syncs its commits to disk, as in production. Null if this machine
 * has no Postgres.
 */
export async function openBenchDatabase(): Promise<BenchDatabase | null> {
  const url = process.env["DATABASE_URL"];
  if (url !== undefined) return { url, cpuMs: () => null, close: () => Promise.resolve() };
  if (!hasPostgres) return null;
  const server = await startPostgres({ syncs: true });
  return {
    url: await server.newDatabase(),
    cpuMs: () => serverCpuMs(server.pid()),
    close: () => server.remove(),
  };
}
