import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../support/test.ts";
import { parse } from "yaml";
import * as z from "zod";
import { hasPostgres, startPostgres, type PostgresServer } from "../../test/service/store/postgres-server.ts";
import { hasRedis, startRedis, type RedisServer } from "../../test/service/store/redis-server.ts";
import { buildImage, type BuiltImage } from "./image-build.ts";
import { freePort } from "../../test/free-port.ts";

const composeSchema = z.object({
  services: z.object({ server: z.object({ environment: z.record(z.string(), z.string()) }) }),
});

/** The file .env of the operator. */
const operatorValues: Record<string, string> = {
  POSTGRES_PASSWORD: "a-password",
  PUBLIC_ADDRESS: "192.0.2.10",
  PUBLIC_HOST: "talk.example",
  TURN_SECRET: "a-turn-secret",
  VISAVIS_SECRET: "5e".repeat(32),
};

let folder: string;
let image: BuiltImage;
let postgres: PostgresServer | undefined;
let redis: RedisServer | undefined;
let server: ChildProcess | undefined;

/** The variables that compose.yaml gives the server, with the addresses of this machine in place of the services' names. */
function composeEnvironment(databaseUrl: string, redisUrl: string): Record<string, string> {
  const { services } = composeSchema.parse(parse(readFileSync("compose.yaml", "utf8")));
  const database = new URL(databaseUrl);
  const substituted = Object.entries(services.server.environment).map(([name, text]) => {
    const value = text.replaceAll(/\$\{(\w+):\?\}/g, (_, variable: string) => {
      const given = operatorValues[variable];
      if (given === undefined) throw new Error(`compose.yaml needs ${variable}.`);
      return given;
    });
    return [name, value.replace("@postgres/visavis", `@${database.host}${database.pathname}`)] as const;
  });
  return Object.fromEntries(
    substituted.map(([name, value]) => [name, value.replace("redis://redis:6379", redisUrl)]),
  );
}

/** Copies what a build would get: everything but what .dockerignore names, path by path. */
function copyContext(place: string): void {
  const lines = readFileSync(".dockerignore", "utf8").split("\n");
  const ignored = new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
  for (const pattern of ignored)
    if (/[*?!#]/.test(pattern)) throw new Error(`The test takes ${pattern} for a path.`);
  cpSync(".", place, { recursive: true, filter: (path) => !ignored.has(path) });
}

test.skip(!hasPostgres, "The stack of compose.yaml needs PostgreSQL.");
test.skip(!hasRedis, "The stack of compose.yaml needs redis-server.");

test.beforeAll(() => {
  // npm installs the packages of the last stage, and the build runs.
  test.setTimeout(900_000);
  folder = mkdtempSync(join(tmpdir(), "visavis-image-"));
  // The server runs as another user.
  chmodSync(folder, 0o755);
  const context = join(folder, "context");
  copyContext(context);
  image = buildImage(readFileSync("Dockerfile", "utf8"), context, folder);
});

test.afterAll(async () => {
  server?.kill("SIGKILL");
  await postgres?.remove();
  await redis?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("what the Dockerfile builds runs with the settings of compose.yaml and becomes healthy", async () => {
  const [program = "", ...words] = image.program;
  postgres = await startPostgres();
  redis = await startRedis();
  const environment = {
    PATH: process.env["PATH"],
    ...image.environment,
    ...composeEnvironment(await postgres.newDatabase(), redis.url),
    // The container has its own network, this machine has not.
    PORT: String(await freePort()),
  };
  const place = { cwd: join(image.root, image.workdir), env: environment, ...image.user };
  const output: string[] = [];
  server = spawn(program, words, { ...place, stdio: ["ignore", "pipe", "pipe"] });
  server.stdout?.on("data", (piece: Buffer) => output.push(piece.toString()));
  server.stderr?.on("data", (piece: Buffer) => output.push(piece.toString()));
  const [check = "", ...checkWords] = image.healthcheck;
  const health = (): number | null => spawnSync(check, checkWords, place).status;
  await expect.poll(() => [server?.exitCode, health()], { message: "The health check." }).toEqual([null, 0]);
  const loader = await fetch(`http://127.0.0.1:${environment.PORT}/embed.js`);
  expect(loader.status, output.join("")).toBe(200);
  const ended = new Promise((resolve) => server?.once("exit", resolve));
  server.kill("SIGTERM");
  expect(await ended, output.join("")).toBe(0);
  expect(health()).toBe(1);
});
