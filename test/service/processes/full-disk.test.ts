import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../free-port.ts";
import { hasPostgres, startPostgres } from "../store/postgres-server.ts";
import { temporaryFolder } from "../service-fixture.ts";
import { buildServer } from "./server-build.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

const apiKey = "vv_test_key_0123456789";
const keyed = { "Content-Type": "application/json", "ServicePlatform-APIKey": apiKey };

const mount = (...given: string[]): void =>
  void execFileSync("mount", given, { stdio: ["ignore", "ignore", "pipe"] });

/** A disk of its own. Modes of files would not do: they do not stop root. */
function smallDisk(megabytes: number): string {
  const folder = temporaryFolder();
  mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder);
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

/** Whether this user may not mount. */
const missing = ((): boolean => {
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
})();

/** Fills the disk to its last page. Returns what makes room again. */
function fill(folder: string): () => void {
  const file = join(folder, "filler");
  try {
    for (let size = 2 ** 20; ; size += 2 ** 20) writeFileSync(file, new Uint8Array(size));
  } catch {
    // It is full.
  }
  const rest = join(folder, "filler-rest");
  try {
    for (;;) writeFileSync(rest, new Uint8Array(4096), { flag: "a" });
  } catch {
    // It is quite full.
  }
  return () => [file, rest].forEach((name) => rmSync(name));
}

/** Runs the command line to its end. Resolves with what it tells people. */
async function runCommand(words: readonly string[], dataFolder: string, input = ""): Promise<string> {
  const main = await buildServer();
  const env = { PATH: process.env["PATH"], VISAVIS_DATA: dataFolder, PORT: String(await freePort()) };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...words], { env }, (_error, stdout, stderr) =>
      resolve(`${child.exitCode}: ${stdout}${stderr}`.trim()),
    );
    child.stdin!.end(input);
  });
}

async function started(dataFolder: string, environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(await buildServer(), "start", {
    VISAVIS_DATA: dataFolder,
    VISAVIS_API_KEY: apiKey,
    ...environment,
  });
  onTestFinished(async () => {
    await server.end();
  });
  return server;
}

async function readiness({ url }: ServerProcess): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
}

const isFull = [503, { status: "the disk of the data folder is full", code: "disk_full" }];
const isReadOnly = [503, { status: "the data folder cannot be written", code: "read_only" }];
const isReady = [200, { status: "ok" }];

const contexts = "/api/console/b2c/contexts/";
const instructions = "opening hours and prices. ".repeat(1_500);
const context = (name: string) => ({ name, tts_type: "visavis-slt", model_style: "mina", instructions });

const send = (path: string, body: unknown, { url }: ServerProcess): Promise<Response> =>
  fetch(`${url}${path}`, { method: "POST", headers: keyed, body: JSON.stringify(body) });

/** A picture that no rest of a full disk takes. */
const picture = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.alloc(500_000),
]);
const sendPicture = (server: ServerProcess): Promise<Response> =>
  send(
    "/api/v1/background_image/",
    { title: "Room", image: `data:image/png;base64,${picture.toString("base64")}` },
    server,
  );

async function countOf(path: string, { url }: ServerProcess): Promise<number> {
  const listed = await fetch(`${url}${path}`, { headers: keyed });
  return ((await listed.json()) as unknown[]).length;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

const errorsOf = (server: ServerProcess, message: string): unknown[] =>
  server.lines.filter((line) => line.message === message).map((line) => line["error"]);

const faultOf = async (answer: Response) => [answer.status, await answer.json()];
const storageFault = (code: string, detail: string) => [
  503,
  { type: "server_error", errors: [{ code, detail, attr: null }] },
];

describe.skipIf(missing)("a data folder that takes no data [needs root and mount]", () => {
  test("a full disk is told with its folder, nothing is half written, and all works again without a restart", async () => {
    const disk = smallDisk(24);
    const data = join(disk, "data");
    const server = await started(data);
    expect((await send(contexts, context("before"), server)).status).toBe(201);
    const makeRoom = fill(disk);
    const files = filesIn(data);
    await expect.poll(() => readiness(server)).toEqual(isFull);

    // The write-ahead log has room for some.
    let made = await countOf(contexts, server);
    let refused = await send(contexts, context("during"), server);
    for (; refused.status === 201; refused = await send(contexts, context("during"), server)) made += 1;
    const full = storageFault("disk_full", "The service's disk is full.");
    expect(await faultOf(refused)).toEqual(full);
    expect(await faultOf(await sendPicture(server))).toEqual(full);
    const said = `The disk of ${data} is full.`;
    await expect.poll(() => errorsOf(server, "request failed")).toContain(said);
    await expect.poll(() => errorsOf(server, "the service is not ready")).toEqual([said]);
    const command = await runCommand(["context", "create"], data, JSON.stringify(context("during")));
    expect(command).toBe(`1: ${said} Make room there, or set VISAVIS_DATA to a folder on another disk.`);
    expect(filesIn(data)).toEqual(files);
    expect(await countOf(contexts, server)).toBe(made);

    makeRoom();
    await expect.poll(() => readiness(server)).toEqual(isReady);
    expect((await send(contexts, context("after"), server)).status).toBe(201);
    expect((await sendPicture(server)).status).toBe(201);
    expect(await countOf(contexts, server)).toBe(made + 1);
    expect(await server.end()).toBe(0);
  });

  test("a start on a full disk says so, and the next one starts as the first", async () => {
    const disk = smallDisk(24);
    const data = join(disk, "data");
    mkdirSync(data);
    const makeRoom = fill(disk);
    expect(await runCommand(["start"], data)).toBe(
      `1: The disk of ${data} is full. Make room there, or set VISAVIS_DATA to a folder on another disk.`,
    );
    makeRoom();
    expect(await readiness(await started(data))).toEqual(isReady);
  });

  test("a start in a read-only folder names it, also where there is a store already", async () => {
    const disk = smallDisk(24);
    const server = await started(join(disk, "data"));
    await server.end();
    mkdirSync(join(disk, "empty"));
    mount("-o", "remount,ro", disk);
    const store = join(disk, "data");
    const empty = join(disk, "empty");
    for (const [data, words] of [
      [store, ["start"]],
      [store, ["context", "create"]],
      [empty, ["start"]],
      [empty, ["context", "list"]],
    ] as const)
      expect(await runCommand(words, data, JSON.stringify(context("new")))).toBe(
        `1: Nothing may be written into ${data}. Set VISAVIS_DATA to a folder that this user may read and write.`,
      );
    // What only reads works.
    expect(await runCommand(["context", "list"], store)).toMatch(/^0: .*Alder Home/s);
  });

  test("a folder that becomes read-only under a running server is told, and works again when it is not", async () => {
    const data = join(smallDisk(24), "data");
    const server = await started(data);
    mount("--bind", data, data);
    onTestFinished(() => void execFileSync("umount", ["-l", data]));
    mount("-o", "remount,ro,bind", data);
    await expect.poll(() => readiness(server)).toEqual(isReadOnly);
    await expect
      .poll(() => errorsOf(server, "the service is not ready"))
      .toEqual([`Nothing may be written into ${data}.`]);
    const pictures = await countOf("/api/v1/background_image/", server);
    expect(await faultOf(await sendPicture(server))).toEqual(
      storageFault("read_only", "The service may not store anything."),
    );
    expect(await countOf("/api/v1/background_image/", server)).toBe(pictures);
    mount("-o", "remount,rw,bind", data);
    await expect.poll(() => readiness(server)).toEqual(isReady);
    expect((await sendPicture(server)).status).toBe(201);
  });
});

describe.skipIf(missing || !hasPostgres)("a database without room [needs root, mount and Postgres]", () => {
  test("is told, nothing is half written, and all works again without a restart", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    // The database's files alone: a Postgres whose log has no room ends itself, and is then a store that does not answer.
    const disk = smallDisk(48);
    const space = join(disk, "space");
    mkdirSync(space, { mode: 0o711 });
    chmodSync(disk, 0o755);
    const DATABASE_URL = await postgres.newDatabase(space);
    const server = await started(temporaryFolder(), { DATABASE_URL });
    expect((await send(contexts, context("before"), server)).status).toBe(201);
    const makeRoom = fill(disk);
    // It took a while, and connections that are kept open have ended meanwhile. Nobody has written yet, so nobody knows.
    await expect.poll(() => readiness(server)).toEqual(isReady);
    const pictures = await countOf("/api/v1/background_image/", server);

    // The pages of the tables have room for some.
    let made = await countOf(contexts, server);
    let refused = await send(contexts, context("during"), server);
    for (; refused.status === 201; refused = await send(contexts, context("during"), server)) made += 1;
    const full = storageFault("disk_full", "The service's disk is full.");
    expect(await faultOf(refused)).toEqual(full);
    expect(await faultOf(await sendPicture(server))).toEqual(full);
    const isDatabaseFull = [503, { status: "the disk of the database is full", code: "disk_full" }];
    await expect.poll(() => readiness(server)).toEqual(isDatabaseFull);
    const said = "The disk of the database is full.";
    await expect.poll(() => errorsOf(server, "request failed")).toContain(said);
    await expect.poll(() => errorsOf(server, "the service is not ready")).toEqual([said]);
    expect(await countOf(contexts, server)).toBe(made);
    expect(await countOf("/api/v1/background_image/", server)).toBe(pictures);

    makeRoom();
    await expect.poll(() => readiness(server)).toEqual(isReady);
    expect((await send(contexts, context("after"), server)).status).toBe(201);
    expect((await sendPicture(server)).status).toBe(201);
    expect(await countOf(contexts, server)).toBe(made + 1);
    expect(await server.end()).toBe(0);
  });

  test("that takes no changes is told, also at a start, and works again when it does", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const DATABASE_URL = await postgres.newDatabase();
    const readOnly = async (isOn: boolean): Promise<void> => {
      const client = new pg.Client(DATABASE_URL);
      await client.connect();
      await client.query("begin; set transaction read write");
      await client.query(
        `alter database ${new URL(DATABASE_URL).pathname.slice(1)} set default_transaction_read_only = ${isOn}`,
      );
      await client.query("commit");
      // Connections that are there keep what they began with.
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await client.end();
    };
    const server = await started(temporaryFolder(), { DATABASE_URL });
    await readOnly(true);
    await expect
      .poll(async () => faultOf(await send(contexts, context("during"), server)))
      .toEqual(storageFault("read_only", "The service may not store anything."));
    await expect
      .poll(() => readiness(server))
      .toEqual([503, { status: "the database cannot be written", code: "read_only" }]);
    await readOnly(false);
    await expect.poll(() => readiness(server)).toEqual(isReady);
    expect((await send(contexts, context("after"), server)).status).toBe(201);
  });
});
