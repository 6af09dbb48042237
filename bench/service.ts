import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ChildProcess } from "node:child_process";
import packageJson from "../package.json" with { type: "json" };
import { openBenchDatabase, type BenchDatabase } from "./postgres.ts";
import { pause, usageOf } from "./media-stage.ts";
import { ask, pinning, spawnPinned } from "./pinned.ts";
import type { LoadOrder, Stream, StreamOutcome } from "./service-load.ts";
import { formatTable, percentile, short, type Row, type Table } from "./table.ts";

const liveSessions = 20_000;
const heartbeatsPerSec = 2_000;
const createsPerSec = 200;
/** In a server's first seconds, compilation takes most of the CPU and a backlog builds up. */
const warmUpSec = 20;
const measuredSec = 20;

/** The Node flags of `npm start`. */
const nodeFlags = packageJson.scripts.start.split(" ").filter((word) => word.startsWith("--"));

const benchApiKey = "vv_bench_key_0123456789";
const json = { "content-type": "application/json" };

interface Server {
  child: ChildProcess;
  port: number;
  /** The prompt that create requests use. */
  prompt: string;
}

/** A percentage of a core. */
function share(cpuMs: number, elapsedMs: number): number {
  return short((cpuMs * 100) / elapsedMs);
}

async function startServer(kind: "service" | "constant", database?: BenchDatabase): Promise<Server> {
  const args = [kind, benchApiKey, ...(database ? [database.url] : [])];
  const child = spawnPinned("service-server.ts", 0, args, nodeFlags);
  const [ready] = (await once(child, "message")) as [{ port: number; prompt: string }];
  return { child, ...ready };
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

function heartbeats(ids: readonly string[], perSec: number): Stream {
  return {
    name: "heartbeats",
    method: "POST",
    paths: ids.map((id) => `/api/v1/session/${id}/event/create/`),
    headers: json,
    body: JSON.stringify({ event: "SESSION_DURING" }),
    perSec,
  };
}

function creates(prompt: string): Stream {
  const body = { prompt, llm_type: "visavis-retrieval", model_style: "mina", tts_type: "visavis-slt" };
  return {
    name: "creates",
    method: "POST",
    paths: ["/api/v1/session/"],
    headers: { ...json, "ServicePlatform-APIKey": benchApiKey },
    body: JSON.stringify(body),
    perSec: createsPerSec,
  };
}

/** Runs a load on a server and its database. Their CPU is in percent of a core and includes the warm-up. */
async function underLoad(
  server: Server,
  streams: Stream[],
  { seconds = [warmUpSec, measuredSec], database }: { seconds?: number[]; database?: BenchDatabase } = {},
) {
  const load = spawnPinned("service-load.ts", 1);
  const [warmUp = 0, measured = 0] = seconds;
  const order: LoadOrder = { port: server.port, warmUpSec: warmUp, measuredSec: measured, streams };
  const cpuMs = () => [usageOf(server.child.pid!).cpuMs, database?.cpuMs() ?? null] as const;
  const [before, databaseBefore] = cpuMs();
  const startedMs = performance.now();
  const outcomes = await ask<StreamOutcome[]>(load, order);
  const elapsedMs = performance.now() - startedMs;
  const [after, databaseAfter] = cpuMs();
  await stopped(load);
  return {
    outcomes,
    cpu: share(after - before, elapsedMs),
    databaseCpu:
      databaseBefore === null || databaseAfter === null
        ? ""
        : share(databaseAfter - databaseBefore, elapsedMs),
  };
}

function loadRows(
  name: string,
  { outcomes, cpu, databaseCpu }: Awaited<ReturnType<typeof underLoad>>,
): Row[] {
  return outcomes.map((outcome) => ({
    name: `${name}, ${outcome.name}`,
    columns: {
      "a second": short(outcome.latenciesMs.length / measuredSec),
      failed: outcome.failures,
      "p50 ms": short(percentile(outcome.latenciesMs, 50)),
      "p99 ms": short(percentile(outcome.latenciesMs, 99)),
      "max ms": short(Math.max(...outcome.latenciesMs)),
      "CPU % of a core": cpu,
      "its database's": databaseCpu,
    },
  }));
}

/** The same load on a server with a constant answer, so that the table shows the share of the framework. */
async function constantRows(ids: readonly string[]): Promise<Row[]> {
  const server = await startServer("constant");
  const rows = loadRows(
    "constant JSON",
    await underLoad(server, [heartbeats(ids, heartbeatsPerSec), creates("")]),
  );
  await stopped(server.child);
  return rows;
}

async function memoryOf({ child }: Server): Promise<number> {
  return (await ask<{ rssBytes: number }>(child, { type: "memory" })).rssBytes;
}

async function retrievalRow(server: Server, stored: number): Promise<Row> {
  const { ids } = await ask<{ ids: string[] }>(server.child, { type: "fill", count: stored });
  const stream: Stream = {
    name: "retrieves",
    method: "GET",
    paths: ids.map((id) => `/api/v1/session/${id}/`),
    headers: {},
    body: null,
    perSec: 400,
  };
  const { outcomes } = await underLoad(server, [stream], { seconds: [3, 8] });
  const { latenciesMs, failures } = outcomes[0]!;
  return {
    name: `${stored.toLocaleString("en")} stored sessions`,
    columns: {
      failed: failures,
      "p50 ms": Math.round(percentile(latenciesMs, 50) * 100) / 100,
      "p99 ms": short(percentile(latenciesMs, 99)),
    },
  };
}

async function retrievalTable(): Promise<Table> {
  const server = await startServer("service");
  const rows = [await retrievalRow(server, 1_000), await retrievalRow(server, 1_000_000)];
  await stopped(server.child);
  return { title: "Retrieve by id, 400 a second (does not slow down)", rows };
}

/** The memory of `visavis service` without sessions and without its media processes. Needs the build. */
async function idleMemoryMb(): Promise<number | string> {
  const main = fileURLToPath(new URL("../dist/server/main.js", import.meta.url));
  if (!existsSync(main)) return "not built";
  const folder = mkdtempSync(join(tmpdir(), "visavis-idle-"));
  const child = spawn(process.execPath, [...nodeFlags, main, "service"], {
    env: { ...process.env, PORT: "18787", VISAVIS_DATA: folder },
    stdio: ["ignore", "ignore", "ignore"],
  });
  // What the start has left is collected after some seconds.
  await pause(20_000);
  const { rssMb } = usageOf(child.pid!);
  await stopped(child);
  rmSync(folder, { recursive: true, force: true });
  return short(rssMb);
}

/** The peak memory of the process, in MB, including memory that it shares with other processes. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Measures the service with live sessions in SQLite, or in the given database. */
async function liveLoad(database?: BenchDatabase) {
  const server = await startServer("service", database);
  const emptyBytes = await memoryOf(server);
  const { ids } = await ask<{ ids: string[] }>(server.child, { type: "live", count: liveSessions });
  const sessionKb = (await memoryOf(server).then((bytes) => bytes - emptyBytes)) / liveSessions / 1024;
  const streams = [heartbeats(ids, heartbeatsPerSec), creates(server.prompt)];
  const load = await underLoad(server, streams, database && { database });
  const peak = peakMb(server.child.pid!);
  await stopped(server.child);
  return { ids, load, sessionKb, peak };
}

/** The load on Postgres; empty if there is no Postgres. */
async function postgresRows(): Promise<Row[]> {
  const database = await openBenchDatabase();
  if (!database) return [];
  try {
    return loadRows("service on Postgres", (await liveLoad(database)).load);
  } finally {
    await database.close();
  }
}

/**
 * The cost of sessions for the service without media: latency under load, memory, and retrieval from a full store. It uses
 * SQLite; the load also runs on Postgres, with `DATABASE_URL` or on a new server if Postgres is installed.
 */
export async function benchService(): Promise<Table[]> {
  const { ids, load, sessionKb, peak } = await liveLoad();
  return [
    {
      title: `${liveSessions.toLocaleString("en")} live sessions, ${pinning} (heartbeats: p99 at most 50 ms)`,
      rows: [...loadRows("service on SQLite", load), ...(await postgresRows()), ...(await constantRows(ids))],
    },
    {
      title: "Memory of the service without its media processes (idle 150 MB, a session 30 KB at most)",
      rows: [
        {
          name: "visavis service",
          columns: {
            "idle MB": await idleMemoryMb(),
            "a session KB": short(sessionKb),
            "peak under load MB": short(peak),
          },
        },
      ],
    },
    await retrievalTable(),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const table of await benchService()) process.stdout.write(`${formatTable(table)}\n`);
}
