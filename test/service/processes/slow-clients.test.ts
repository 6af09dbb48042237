import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer } from "./server-build.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

const apiKey = "vv_test_key_0123456789";
const megabyte = 1024 * 1024;
const slowhttptest = "/usr/bin/slowhttptest";

let server: ServerProcess;
const data = mkdtempSync(join(tmpdir(), "visavis-slow-"));

beforeAll(async () => {
  server = await startServer(await buildServer(), "start", {
    VISAVIS_API_KEY: apiKey,
    VISAVIS_DATA: data,
    VISAVIS_SESSION_ACCESS: "open",
  });
});

afterAll(async () => {
  await server.end();
  rmSync(data, { recursive: true, force: true });
});

function residentBytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) * 1024;
}

async function newSession(): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/session/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "ServicePlatform-APIKey": apiKey },
    body: JSON.stringify({ capability: ["TTS"], tts_type: "visavis-slt" }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { session_id: string }).session_id;
}

/** What a normal visitor does: starts a session through the relay and ends it. */
async function visit(): Promise<void> {
  const headers = { "Content-Type": "application/json", Origin: server.url };
  const started = await fetch(`${server.url}/embed/v1/sessions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ context_id: "ctx_demo", mode: "text" }),
  });
  expect(started.status).toBe(201);
  const { session, token } = (await started.json()) as { session: { session_id: string }; token: string };
  const ended = await fetch(`${server.url}/embed/v1/sessions/${session.session_id}/event`, {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ event: "SESSION_END" }),
  });
  expect(ended.status).toBe(201);
}

/** Visits one after the other until the work is done. Resolves with the number of visits and the work's result. */
async function visitsDuring<Value>(work: Promise<Value>): Promise<{ visits: number; value: Value }> {
  const attack = { isOver: false };
  const value = work.finally(() => (attack.isOver = true));
  let visits = 0;
  do {
    await visit();
    visits++;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
  } while (!attack.isOver);
  return { visits, value: await value };
}

test("80 uploads that never end use no more memory than the limit for bodies, and visitors are served", async () => {
  await visit();
  const session = await newSession();
  const before = residentBytes();
  const request = `POST /api/v1/session/${session}/event/create/ HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${10 * megabyte}\r\n\r\n`;
  const sockets = Array.from({ length: 80 }, (_, index) => {
    const port = Number(new URL(server.url).port);
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (index % 8)}` });
    socket.on("error", () => undefined).resume();
    socket.write(request);
    socket.write(Buffer.alloc(9 * megabyte));
    return socket;
  });
  let peak = 0;
  const watching = setInterval(() => (peak = Math.max(peak, residentBytes())), 50);
  for (let count = 0; count < 5; count++) await visit();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await visit();
  clearInterval(watching);
  for (const socket of sockets) socket.destroy();
  expect(peak - before).toBeLessThan(300 * megabyte);
});

describe.skipIf(!existsSync(slowhttptest))("under slowhttptest [needs slowhttptest]", () => {
  const attack = async (args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(slowhttptest, ["-c", "200", "-r", "200", "-l", "90", ...args])).stdout;

  test("headers and bodies that never end: every connection is cut, and visitors are served", async () => {
    const headers = attack(["-H", "-i", "2", "-u", `${server.url}/`]);
    const bodies = attack([
      ...["-B", "-i", "3", "-s", "200000", "-f", "application/json"],
      ...["-u", `${server.url}/embed/v1/sessions`],
    ]);
    const { visits, value } = await visitsDuring(Promise.all([headers, bodies]));
    expect(visits).toBeGreaterThan(1);
    for (const report of value) expect(report).toContain("No open connections left");
  });

  test("visitors are served and memory does not grow while clients read their answers very slowly", async () => {
    const before = residentBytes();
    const slowRead = ["-X", "-w", "10", "-y", "20", "-n", "5", "-z", "32", "-l", "12"];
    await visitsDuring(attack([...slowRead, "-u", `${server.url}/openapi.json`]));
    expect(residentBytes() - before).toBeLessThan(100 * megabyte);
  });
});
