import { execFile, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { migratePostgres } from "../../../src/service/store/database/postgres-pool.ts";
import { until } from "../../patience.ts";
import { listening } from "./server-port.ts";
import { freePort } from "../../free-port.ts";
import { madeOnce, runFolders } from "../../made-once.ts";

const run = promisify(execFile);

/** Debian keeps each version's programs in a folder of its own, outside the path. */
function programsFolder(): string | null {
  const versions = "/usr/lib/postgresql";
  const [newest] = existsSync(versions)
    ? readdirSync(versions).sort((one, other) => Number(other) - Number(one))
    : [];
  const folder = newest && join(versions, newest, "bin");
  return folder && existsSync(join(folder, "initdb")) ? folder : null;
}

const programs = programsFolder();

/** Whether Postgres is installed on this machine. */
export const hasPostgres = programs !== null;

/** Postgres refuses to run as root: then it runs as `nobody`. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A real Postgres in a temporary folder. */
export interface PostgresServer {
  /** Address of a new, empty database, in a folder of its own if one is given. */
  newDatabase(folder?: string): Promise<string>;
  /** Address of a new database that has a store's tables: to make them takes longer than most tests. */
  newStore(): Promise<string>;
  /** Stops the server at once, like a crash. `start` starts it again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The id of its first process. */
  pid(): number;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

async function reachable(url: string): Promise<void> {
  await until("Postgres", async () => {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return true;
    } catch (error) {
      // It accepts connections before it is ready.
      if ((error as { code?: string }).code !== "57P03") throw error;
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function initialise(data: string): Promise<void> {
  // `nobody` may not write into the folder around it.
  mkdirSync(data);
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid);
  const initial = ["-D", data, "-U", "visavis", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await run(join(programs!, "initdb"), initial, { cwd: data, ...nobody });
}

/** Removes the rows of a database that has a store's tables, in a fraction of the time in which a new one is made. */
export async function emptyStore(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('migration', 'event_file_total')",
  );
  // Without the checks of references.
  const statements = [
    "set session_replication_role = replica",
    ...rows.map(({ name }) => `delete from ${name}`),
  ];
  await client.query([...statements, "update event_file_total set bytes = 0"].join(";"));
  await client.end();
}

/** Makes databases in the server that has these addresses. */
function databasesOf(
  address: (database: string) => string,
): Pick<PostgresServer, "newDatabase" | "newStore"> {
  let databases = 0;
  let migrated: Promise<string> | undefined;
  const inServer = (statement: string): Promise<void> => execute(address("postgres"), statement);

  async function newDatabase(space?: string): Promise<string> {
    const name = `test_${++databases}`;
    if (space !== undefined) {
      if (nobody.uid !== undefined) chownSync(space, nobody.uid, nobody.gid);
      await inServer(`create tablespace ${name} location '${space}'`);
    }
    await inServer(`create database ${name}${space === undefined ? "" : ` tablespace ${name}`}`);
    return address(name);
  }

  async function newTemplate(): Promise<string> {
    const url = await newDatabase();
    await migratePostgres(url);
    return new URL(url).pathname.slice(1);
  }

  return {
    newDatabase,
    async newStore() {
      const template = await (migrated ??= newTemplate());
      const name = `test_${++databases}`;
      await inServer(`create database ${name} template ${template}`);
      return address(name);
    },
  };
}

/** Starts a Postgres on a free port. Requires `hasPostgres`. `syncs`: commits are written to the disk. */
export async function startPostgres({ syncs = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-postgres-"));
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
  const data = join(folder, "data");
  if (runFolders.shared === undefined) await initialise(data);
  // A copy takes a tenth of the time.
  else await run("cp", ["-a", await madeOnce(runFolders.shared, "postgres", initialise), data]);
  const port = await freePort();
  const address = (database: string): string => `postgres://visavis@127.0.0.1:${port}/${database}`;
  let pid = 0;
  let end: () => Promise<void> = () => Promise.resolve();

  async function start(): Promise<void> {
    const settings = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      `fsync=${syncs ? "on" : "off"}`,
    ];
    const child = spawn(
      join(programs!, "postgres"),
      ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
      { cwd: folder, stdio: "ignore", ...nobody },
    );
    pid = child.pid!;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    end = async () => {
      // SIGQUIT: immediate shutdown.
      child.kill("SIGQUIT");
      await ended;
    };
    await listening(port, () => child.exitCode === null);
    await reachable(address("postgres"));
  }

  await start();
  return {
    ...databasesOf(address),
    start,
    pid: () => pid,
    stop: () => end(),
    async remove() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server for the tests around, which is started before them and removed after them. */
export function postgresForTests(): Pick<PostgresServer, "newDatabase" | "newStore" | "stop" | "start"> {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  return {
    newDatabase: (folder) => server.newDatabase(folder),
    newStore: () => server.newStore(),
    stop: () => server.stop(),
    start: () => server.start(),
  };
}
