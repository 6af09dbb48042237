import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { keptSecret } from "../../../src/command-line/secrets/secrets.ts";
import { openPostgresStore } from "../../../src/service/store/database/postgres-store.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { freePort } from "../../free-port.ts";
import { commandLine } from "../../command-line/operator/operator-fixture.ts";
import {
  fillFolder,
  runService,
  silentLog,
  temporaryFolder,
  type RunningService,
} from "../service-fixture.ts";
import { hasPostgres, startPostgres } from "../store/postgres-server.ts";
import { bundleEntry } from "../bundle-entry.ts";

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

/** Runs the server until it ends by itself. Resolves with what it tells people. */
async function failedStart(dataFolder: string): Promise<string> {
  const main = await bundleEntry("src/main.ts");
  onTestFinished(() => main.remove());
  const env = { PATH: process.env["PATH"], VISAVIS_DATA: dataFolder, PORT: String(await freePort()) };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [fileURLToPath(main.url), "start"],
      { env },
      (_error, stdout, stderr) => resolve(`${child.exitCode}: ${stdout}${stderr}`.trim()),
    );
  });
}

const contexts = "/api/console/b2c/contexts/";
const pictures = "/api/v1/background_image/";
const context = {
  ...{ name: "shop", tts_type: "visavis-slt", model_style: "mina" },
  // Postgres would make texts that repeat themselves small.
  instructions: randomBytes(28_000).toString("base64"),
};
/** A picture that no rest of a full disk takes. */
const picture = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.alloc(500_000),
]);
const upload = { title: "Room", image: `data:image/png;base64,${picture.toString("base64")}` };

const outcome = async (answer: Response): Promise<unknown> => [answer.status, await answer.json()];
const readiness = async (run: RunningService): Promise<unknown> => outcome(await run.get("/readyz"));
const isReady = [200, { status: "ok" }];
const notReady = (code: string, status: string): unknown => [503, { status, code }];
const fault = (code: string, detail: string): unknown => [
  503,
  { type: "server_error", errors: [{ code, detail, attr: null }] },
];
const isFull = fault("disk_full", "The service's disk is full.");
const isReadOnly = fault("read_only", "The service may not store anything.");

async function countOf(path: string, run: RunningService): Promise<number> {
  return ((await (await run.get(path)).json()) as unknown[]).length;
}

const errorsOf = ({ lines }: RunningService, message: string): unknown[] =>
  lines.filter((line) => line.message === message).map((line) => line["error"]);

/** Stores rows until there is no room: what is allocated already has room for some. */
async function createUntilFull(run: RunningService): Promise<void> {
  let made = await countOf(contexts, run);
  const uploaded = await countOf(pictures, run);
  let refused = await run.send("POST", contexts, context);
  for (; refused.status === 201; refused = await run.send("POST", contexts, context)) made += 1;
  expect(await outcome(refused)).toEqual(isFull);
  expect(await outcome(await run.send("POST", pictures, upload))).toEqual(isFull);
  expect([await countOf(contexts, run), await countOf(pictures, run)]).toEqual([made, uploaded]);
}

async function expectStored(run: RunningService): Promise<void> {
  await expect.poll(() => readiness(run)).toEqual(isReady);
  const before = [await countOf(contexts, run), await countOf(pictures, run)];
  expect((await run.send("POST", contexts, context)).status).toBe(201);
  expect((await run.send("POST", pictures, upload)).status).toBe(201);
  expect([await countOf(contexts, run), await countOf(pictures, run)]).toEqual(
    before.map((count) => count + 1),
  );
}

/** Opens what a service stores in a folder where it has not run yet, and closes it again. */
const firstUses = (folder: string): (() => unknown)[] => [
  () => keptSecret(folder, "secret", () => "secret"),
  () => openSqliteStore(folder).close(),
];

describe.skipIf(missing)("a data folder that takes no data [needs root and mount]", () => {
  test("a full disk is told with its folder, nothing is half written, and all works again without a restart", async () => {
    const disk = smallDisk(24);
    const folder = join(disk, "data");
    const empty = join(disk, "empty");
    [folder, empty].forEach((each) => mkdirSync(each));
    const run = await runService({ folder });
    await expectStored(run);
    const makeRoom = fill(disk);
    const filesIn = (): string[] => readdirSync(disk, { recursive: true, encoding: "utf8" }).sort();
    const files = filesIn();
    await expect
      .poll(() => readiness(run))
      .toEqual(notReady("disk_full", "the disk of the data folder is full"));
    await createUntilFull(run);
    const said = `The disk of ${folder} is full.`;
    expect(errorsOf(run, "request failed")).toContain(said);
    expect(errorsOf(run, "the service is not ready")).toEqual([said]);
    expect(filesIn()).toEqual(files);

    const remedy = "Make room there, or set VISAVIS_DATA to a folder on another disk.";
    expect(await failedStart(empty)).toBe(`1: The disk of ${empty} is full. ${remedy}`);
    for (const use of firstUses(empty)) expect(use).toThrow(`The disk of ${empty} is full.`);
    makeRoom();
    await expectStored(run);
    // The failed starts left nothing that the next one stumbles over.
    expect(keptSecret(empty, "secret", () => "secret").isNew).toBe(true);
    await openSqliteStore(empty).close();
  });

  test("a read-only folder is told, also at a start, and works again when it is not", async () => {
    const disk = smallDisk(24);
    const folder = join(disk, "data");
    const used = join(disk, "used");
    const empty = join(disk, "empty");
    [folder, used, empty].forEach((each) => mkdirSync(each));
    await fillFolder(used);
    const command = commandLine(used);
    expect((await command(["context", "list"])).failure).toBeNull();
    const run = await runService({ folder });
    const before = await countOf(pictures, run);
    mount("--bind", disk, disk);
    onTestFinished(() => void execFileSync("umount", ["-l", disk]));
    mount("-o", "remount,ro,bind", disk);
    await expect
      .poll(() => readiness(run))
      .toEqual(notReady("read_only", "the data folder cannot be written"));
    expect(errorsOf(run, "the service is not ready")).toEqual([`Nothing may be written into ${folder}.`]);
    expect(await outcome(await run.send("POST", pictures, upload))).toEqual(isReadOnly);
    expect(await countOf(pictures, run)).toBe(before);
    const told = (place: string): string =>
      `Nothing may be written into ${place}. Set VISAVIS_DATA to a folder that this user may read and write.`;
    for (const use of firstUses(empty)) expect(use).toThrow(`Nothing may be written into ${empty}.`);
    expect(await failedStart(used)).toBe(`1: ${told(used)}`);
    expect((await command(["context", "create"], context)).failure).toBe(told(used));
    // What only reads works.
    expect(await command(["context", "list"])).toMatchObject({
      printed: expect.stringContaining("Alder Home") as unknown,
      failure: null,
    });
    mount("-o", "remount,rw,bind", disk);
    await expectStored(run);
  });
});

describe.skipIf(missing || !hasPostgres)("a database [needs root, mount and Postgres]", () => {
  test("that is full or takes no changes is told, nothing is half written, and all works again without a restart", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    // The database's files alone: a Postgres whose log has no room ends itself, and is then a store that does not answer.
    const disk = smallDisk(48);
    const space = join(disk, "space");
    mkdirSync(space, { mode: 0o711 });
    chmodSync(disk, 0o755);
    const url = await postgres.newDatabase(space);
    const { store, files } = await openPostgresStore(url, silentLog);
    onTestFinished(() => store.close());
    const run = await runService({ store, files });
    await expectStored(run);
    const makeRoom = fill(disk);
    // Nobody has written yet, so nobody knows.
    expect(await readiness(run)).toEqual(isReady);
    await createUntilFull(run);
    await expect
      .poll(() => readiness(run))
      .toEqual(notReady("disk_full", "the disk of the database is full"));
    const said = "The disk of the database is full.";
    expect(errorsOf(run, "request failed")).toContain(said);
    expect(errorsOf(run, "the service is not ready")).toEqual([said]);
    makeRoom();
    await expectStored(run);

    const readOnly = async (isOn: boolean): Promise<void> => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query("begin; set transaction read write");
      await client.query(
        `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${isOn}`,
      );
      await client.query("commit");
      // Connections that are there keep what they began with.
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await client.end();
    };
    await readOnly(true);
    await expect.poll(async () => outcome(await run.send("POST", contexts, context))).toEqual(isReadOnly);
    await expect.poll(() => readiness(run)).toEqual(notReady("read_only", "the database cannot be written"));
    await readOnly(false);
    await expectStored(run);
  });
});
