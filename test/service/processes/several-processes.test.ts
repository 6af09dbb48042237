import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import { newMediaClient, type MediaClient } from "../media/media-client.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../store/postgres-server.ts";
import { hasRedis, startRedis, type RedisServer } from "../store/redis-server.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { buildServer } from "./server-build.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

const execute = promisify(execFile);
const apiKey = "vv_test_key_0123456789";

describe.skipIf(!hasPostgres || !hasRedis)(
  "three processes behind a load balancer [needs PostgreSQL and Redis]",
  () => {
    let main: string;
    let clientEntry: BundledEntry;
    let postgres: PostgresServer;
    let redis: RedisServer;
    let folder: string;
    let environment: Record<string, string>;
    let servers: ServerProcess[];
    let balancer: Balancer;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "visavis-processes-"));
      [main, clientEntry, postgres, redis] = await Promise.all([
        buildServer(),
        bundleEntry("test/service/media/client-process.ts"),
        startPostgres(),
        startRedis(),
      ]);
      environment = {
        DATABASE_URL: await postgres.newDatabase(),
        REDIS_URL: redis.url,
        // Three servers that start at once leave Redis little of two processors.
        VISAVIS_REDIS_TIMEOUT_MS: "30000",
        VISAVIS_API_KEY: apiKey,
        VISAVIS_SECRET: "5e".repeat(32),
        VISAVIS_PASSWORD: "a password of all",
        VISAVIS_PUBLIC_URL: "http://localhost:8787",
        VISAVIS_LEASE_SEC: "30",
      };
      servers = await Promise.all(["a", "b", "c"].map(startInstance));
      balancer = await startBalancer(servers.map(({ url }) => url));
    });

    afterAll(async () => {
      await balancer.close();
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([postgres.remove(), redis.remove()]);
      clientEntry.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    async function startInstance(name: string): Promise<ServerProcess> {
      // Each has its own folder, as on separate machines.
      const variables = { ...environment, VISAVIS_DATA: join(folder, name) };
      const server = await startServer(main, "start", variables);
      // The one that serves and the one that stands by.
      await server.logged("media process ready", 2);
      return server;
    }

    const command = (...words: string[]) =>
      execute(process.execPath, [main, ...words], {
        env: { ...environment, PATH: process.env["PATH"], VISAVIS_DATA: join(folder, "operator") },
      });

    const call = (
      base: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = { "ServicePlatform-APIKey": apiKey },
    ): Promise<Response> =>
      fetch(new URL(path, base), {
        method: body === undefined ? "GET" : "POST",
        headers: { "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

    async function newSession(base: string): Promise<string> {
      const listed = await call(base, "/api/console/b2c/contexts/");
      const contexts = (await listed.json()) as { id: string; context_id: string }[];
      const response = await call(base, "/api/v1/session/", {
        prompt: contexts.find(({ context_id }) => context_id === "ctx_demo")!.id,
        ...{ llm_type: "visavis-retrieval", model_style: "mina", tts_type: "visavis-slt" },
      });
      expect(response.status).toBe(201);
      return ((await response.json()) as { session_id: string }).session_id;
    }

    const path = (sessionId: string, operation: string): string =>
      `/api/v1/session/${sessionId}/${operation}`;

    async function connect(base: string, sessionId: string): Promise<MediaClient> {
      const client = newMediaClient(clientEntry.url);
      onTestFinished(() => client.end());
      const offer = { client_sdp: { type: "offer", sdp: await client.offer() } };
      let response = await call(base, path(sessionId, "exchange/"), offer);
      // On a busy machine the media process may be too slow. Clients then ask again.
      for (let count = 0; response.status === 500 && count < 10; count++)
        response = await call(base, path(sessionId, "exchange/"), offer);
      expect(response.status).toBe(200);
      await client.accept(((await response.json()) as { server_sdp: { sdp: string } }).server_sdp.sdp);
      await client.until("pictures", ({ pictures }) => pictures > 2);
      return client;
    }

    async function event(base: string, sessionId: string, kind: string): Promise<unknown> {
      const response = await call(base, path(sessionId, "event/create/"), { event: kind });
      expect(response.status).toBe(201);
      return response.json();
    }

    const retrieve = async (base: string, sessionId: string): Promise<unknown> =>
      (await call(base, path(sessionId, ""))).json();

    const disconnected = (client: MediaClient) =>
      client.until("the end", ({ connectionState }) => connectionState !== "connected");

    const linesOf = (sessionId: string, message: string) =>
      servers.flatMap(({ lines }) =>
        lines.filter((line) => line.message === message && line["session"] === sessionId.slice(0, 8)),
      );

    test("a session is created, connected, kept alive and ended by different processes", async () => {
      const [a, b, c] = servers.map(({ url }) => url) as [string, string, string];
      const sessionId = await newSession(a);
      const client = await connect(b, sessionId);
      expect(await event(c, sessionId, "SESSION_START")).toMatchObject({ terminate: false });
      for (const server of servers)
        expect(await retrieve(server.url, sessionId)).toMatchObject({ status: "IN_PROGRESS" });
      await event(c, sessionId, "SESSION_END");
      await disconnected(client);
      for (const server of servers) {
        const ended = { status: "TERMINATED", termination_reason: "GRACEFUL_TERMINATION" };
        expect(await retrieve(server.url, sessionId)).toMatchObject(ended);
        const terminate_reason = "SESSION_EVENT_GRACEFUL_TERMINATION";
        const told = await event(server.url, sessionId, "SESSION_DURING");
        expect(told).toMatchObject({ terminate: true, terminate_reason });
      }
      // The client did not report it: the process with the peer was notified.
      await expect.poll(() => linesOf(sessionId, "peer closed")).toHaveLength(1);
    });

    test("a second exchange at another process moves the peer there", async () => {
      const [a, b] = servers.map(({ url }) => url) as [string, string, string];
      const sessionId = await newSession(balancer.url);
      const first = await connect(a, sessionId);
      const second = await connect(b, sessionId);
      await disconnected(first);
      const { pictures } = await second.received();
      await second.until("more pictures", (received) => received.pictures > pictures + 5);
      expect(await retrieve(balancer.url, sessionId)).toMatchObject({ status: "IN_PROGRESS" });
    });

    test("an event's file is served by every process", async () => {
      const sessionId = await newSession(balancer.url);
      const form = new FormData();
      form.set("event", "SESSION_LOG");
      form.set("file", new Blob(["what happened"]), "log.txt");
      const url = new URL(path(sessionId, "event/create/"), balancer.url);
      const headers = { "ServicePlatform-APIKey": apiKey };
      const answer = await fetch(url, { method: "POST", body: form, headers });
      const stored = (await answer.json()) as { file: string };
      for (const server of servers) {
        const file = await fetch(new URL(new URL(stored.file).pathname, server.url), { headers });
        expect(await file.text()).toBe("what happened");
      }
    });

    const prompts = (base: string, key: string): Promise<Response> =>
      call(base, "/api/v1/prompt/", undefined, { "XP-API-KEY": key.trim() });

    test("requests of a key are counted together", async () => {
      const { stdout } = await command("key", "create", "--name", "Counted");
      const left: number[] = [];
      for (let count = 0; count < 6; count++) {
        const answer = await prompts(balancer.url, stdout);
        left.push(Number(answer.headers.get("X-RateLimit-Remaining")));
      }
      expect(left.map((remaining) => left[0]! - remaining)).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test("limits are counted together, and every process accepts the tokens of the others", async () => {
      const page = { Origin: "http://localhost:3000" };
      const visit = { context_id: "ctx_demo", mode: "text", visitor_id: "0123456789abcdef".repeat(2) };
      // A visitor may have three conversations open; each request goes to another process.
      const answers: Response[] = [];
      for (let count = 0; count < 4; count++)
        answers.push(await call(balancer.url, "/embed/v1/sessions", visit, page));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 403]);
      const { token, session } = (await answers[0]!.json()) as {
        token: string;
        session: { session_id: string };
      };
      const headers = { ...page, Authorization: `Bearer ${token}` };
      const events = `/embed/v1/sessions/${session.session_id}/event`;
      for (const server of servers) {
        const beat = await call(server.url, events, { event: "SESSION_DURING" }, headers);
        expect(beat.status).toBeLessThan(300);
      }
    });

    test("every process accepts a key that was created on the command line, until it is revoked", async () => {
      const statuses = (key: string) =>
        Promise.all(servers.map(async ({ url }) => (await prompts(url, key)).status));
      const { stdout, stderr } = await command("key", "create", "--name", "Shop");
      expect(await statuses(stdout)).toEqual([200, 200, 200]);
      await command("key", "revoke", /Key (\S+)/.exec(stderr)![1]!);
      expect(await statuses(stdout)).toEqual([401, 401, 401]);
      await expect(command("key", "revoke", "nothing")).rejects.toMatchObject({
        code: 1,
        stdout: "",
        stderr: 'There is no key "nothing"; "visavis key list" shows their ids.\n',
      });
    });

    test("when a process dies, its clients continue with another, and sessions whose clients stay away end once", async () => {
      const [a, , c] = servers as [ServerProcess, ServerProcess, ServerProcess];
      const moving = await newSession(a.url);
      const lost = await newSession(a.url);
      const clients = await Promise.all([moving, lost].map((sessionId) => connect(c.url, sessionId)));
      for (const sessionId of [moving, lost]) await event(a.url, sessionId, "SESSION_START");
      await c.kill();
      await Promise.all(clients.map((client) => client.end()));
      await connect(a.url, moving);
      // The balancer skips the dead process.
      for (let count = 0; count < 3; count++)
        expect(await retrieve(balancer.url, moving)).toMatchObject({ status: "IN_PROGRESS" });
      await expect
        .poll(() => retrieve(balancer.url, lost), { timeout: 180_000, interval: 200 })
        .toMatchObject({ status: "TERMINATED", termination_reason: "SESSION_LOST_AFTER_CONNECTION" });
      await expect
        .poll(() => linesOf(lost, "session status").filter(({ to }) => to === "TERMINATED"))
        .toHaveLength(1);
      expect(await event(balancer.url, moving, "SESSION_END")).toMatchObject({ terminate: true });
      expect(await a.end()).toBe(0);
    }, 300_000);
  },
);
