import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen, type SenderPatience } from "../../../src/command-line/http/http-server.ts";
import { BodyBudget, createRelay, serviceInProcess, type BodyLease } from "../../../src/relay/index.ts";
import { createClientAddress } from "../../../src/command-line/http/client-address.ts";
import { readTrustedProxies } from "../../../src/command-line/settings/trusted-proxies.ts";
import { apiKey, runService, silentLog, type RunningService } from "../../service/service-fixture.ts";

const clientAddress = createClientAddress({
  proxies: readTrustedProxies(undefined, "PROXIES"),
  header: undefined,
  log: silentLog,
});

const megabyte = 1024 * 1024;

/** Remembers the most bytes that were taken at once: a look at the total may come too late. */
class WatchedBudget extends BodyBudget {
  most = 0;

  override open(clientAddress: string | null): BodyLease {
    const lease = super.open(clientAddress);
    return {
      take: (bytes) => {
        const refusal = lease.take(bytes);
        this.most = Math.max(this.most, this.total);
        return refusal;
      },
      release: () => lease.release(),
    };
  }
}

interface Served {
  run: RunningService;
  budget: BodyBudget;
  port: number;
}

async function served(patience?: SenderPatience, budget = new BodyBudget()): Promise<Served> {
  const run = await runService({ bodyBudget: budget, clientAddress });
  const relay = createRelay({
    service: serviceInProcess(run.service.app, apiKey),
    tokenSecret: new Uint8Array(32).fill(7),
    assets: { read: () => Promise.resolve(null) },
    publicUrl: "https://relay.example",
    bodyBudget: budget,
    clientAddress,
  });
  const server = await listen(
    (request, environment) =>
      new URL(request.url).pathname.startsWith("/api/")
        ? run.service.app.fetch(request, environment)
        : relay.fetch(request, environment),
    0,
    patience,
  );
  onTestFinished(() => server.close(100));
  return { run, budget, port: server.port };
}

interface Connection {
  socket: Socket;
  /** Everything that came until the server closed the connection. */
  closed: Promise<string>;
  /** The first answer's status. */
  status: Promise<number>;
}

/** A raw connection from an address of this machine. */
function open({ port }: Served, text: string, localAddress = "127.0.0.1"): Connection {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let received = "";
  let found: (status: number) => void = () => undefined;
  const status = new Promise<number>((resolve) => (found = resolve));
  socket.on("data", (piece) => {
    received += piece.toString("latin1");
    const match = /^HTTP\/1\.1 (\d+)/.exec(received);
    if (match) found(Number(match[1]));
  });
  socket.on("error", () => undefined);
  socket.write(text);
  return { socket, status, closed: once(socket, "close").then(() => received) };
}

const head = (path: string, headers: Record<string, string | number>, method = "POST"): string =>
  [`${method} ${path} HTTP/1.1`, "Host: x", ...Object.entries(headers).map(([n, v]) => `${n}: ${v}`)].join(
    "\r\n",
  );

const upload = { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": 10 * megabyte };

const eventPath = (session: string): string => `/api/v1/session/${session}/event/create/`;

test("a connection without a request stays open longer than those of load balancers, so that it is not closed under a request", async () => {
  const { port } = await served();
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=65");
});

test("a connection whose headers do not end is closed", async () => {
  const server = await served({ headersMs: 200, requestMs: 10_000 });
  const { closed } = open(server, head("/api/v1/prompt/", { "X-Part": "1" }, "GET"));
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
});

test("a connection whose body does not end is closed, and its memory is free again", async () => {
  const budget = new WatchedBudget();
  const server = await served({ headersMs: 10_000, requestMs: 3_000 }, budget);
  const session = await server.run.newSession();
  const { socket, closed } = open(server, `${head(eventPath(session), upload)}\r\n\r\n`);
  socket.write(Buffer.alloc(megabyte));
  await expect.poll(() => budget.most).toBeGreaterThanOrEqual(megabyte);
  expect(await closed).toMatch(/^HTTP\/1\.1 (?:408|400) /);
  await expect.poll(() => server.budget.total).toBe(0);
});

test("a body that keeps arriving may take longer", async () => {
  const requestMs = 1_500;
  const server = await served({ headersMs: 10_000, requestMs });
  const session = await server.run.newSession();
  // As many bytes in each third of the time as the slowest sender may bring.
  const [start, piece, end] = [`{"event":"SESSION_DURING"`, " ".repeat(8_192), "}"];
  const pieces = 6;
  const length = start.length + pieces * piece.length + end.length;
  const headers = { "Content-Type": "application/json", "Content-Length": length };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, status } = open(server, `${head(eventPath(session), headers)}\r\n\r\n${start}`);
  for (let sent = 1; sent <= pieces; sent++) {
    socket.write(piece);
    await expect.poll(() => server.budget.total).toBeGreaterThanOrEqual(sent * piece.length);
    vi.advanceTimersByTime(requestMs / 3);
  }
  socket.write(end);
  expect(await status).toBe(201);
});

test.each(["exchange/", "tts/", "stt/", "llm/v2/", "event/create/"])(
  "a request for an unknown or ended session is answered before its body is sent: %s",
  async (operation) => {
    const server = await served();
    const request = (session: string, type: string) =>
      `${head(`/api/v1/session/${session}/${operation}`, { ...upload, "Content-Type": type })}\r\n\r\n`;
    const multipart = upload["Content-Type"];
    for (const type of [multipart, "application/json"])
      expect(await open(server, request("0".repeat(40), type)).status).toBe(404);
    const session = await server.run.newSession();
    await server.run.event(session, "SESSION_END");
    const expected = operation === "event/create/" ? 403 : 400;
    expect(await open(server, request(session, multipart)).status).toBe(expected);
    expect(server.budget.total).toBe(0);
  },
);

test("a client that continues to send after the answer is disconnected", async () => {
  const server = await served();
  const { socket, closed } = open(server, `${head(eventPath("0".repeat(40)), upload)}\r\n\r\n`);
  const sending = setInterval(() => socket.write(Buffer.alloc(1_024)), 50);
  onTestFinished(() => clearInterval(sending));
  expect(await closed).toMatch(/^HTTP\/1\.1 404 /);
});

test("the bodies of one address share a limit, and other addresses are still answered", async () => {
  const server = await served(undefined, new BodyBudget({ process: 20 * megabyte, address: 8 * megabyte }));
  const session = await server.run.newSession();
  const attack = Array.from({ length: 12 }, () => {
    const connection = open(server, `${head(eventPath(session), upload)}\r\n\r\n`, "127.0.0.2");
    connection.socket.write(Buffer.alloc(2 * megabyte));
    return connection;
  });
  expect(await Promise.race(attack.map(({ status }) => status))).toBe(429);
  const refused = await Promise.race(attack.map(({ closed }) => closed));
  expect(refused).toMatch(/retry-after: 5/i);
  expect(refused).toContain("G0005");
  expect(server.budget.total).toBeLessThanOrEqual(8 * megabyte);
  const honest = await fetch(`http://127.0.0.1:${server.port}${eventPath(session)}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ event: "SESSION_DURING" }),
  });
  expect(honest.status).toBe(201);
});

test("the bodies of many addresses share a limit, which leaves room for small ones", async () => {
  const server = await served(undefined, new BodyBudget({ process: 20 * megabyte, address: 8 * megabyte }));
  const session = await server.run.newSession();
  const attack = Array.from({ length: 24 }, (_, index) => {
    const from = `127.0.0.${2 + (index % 6)}`;
    const connection = open(server, `${head(eventPath(session), upload)}\r\n\r\n`, from);
    connection.socket.write(Buffer.alloc(3 * megabyte));
    return connection;
  });
  const busy = attack.map(async ({ status, closed }) => {
    if ((await status) !== 503) return new Promise<string>(() => undefined);
    return closed;
  });
  const refused = await Promise.race(busy);
  expect(refused).toMatch(/retry-after: 5/i);
  expect(refused).toContain("server_busy");
  expect(server.budget.total).toBeLessThanOrEqual(20 * megabyte);
  const honest = await fetch(`http://127.0.0.1:${server.port}/api/v1/session/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "ServicePlatform-APIKey": apiKey },
    body: JSON.stringify({ capability: ["TTS"], tts_type: "visavis-slt" }),
  });
  expect(honest.status).toBe(201);
});

test("the relay reads no file for an ended session, and limits bodies too", async () => {
  const server = await served(undefined, new BodyBudget({ process: megabyte, address: megabyte / 4 }));
  const origin = "https://relay.example";
  const started = await fetch(`http://127.0.0.1:${server.port}/embed/v1/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ context_id: "ctx_demo", mode: "text" }),
  });
  const { session, token } = (await started.json()) as { session: { session_id: string }; token: string };
  const path = `/embed/v1/sessions/${session.session_id}/event`;
  const headers = { ...upload, Origin: origin, Authorization: `Bearer ${token}` };
  const large = open(server, `${head(path, headers)}\r\n\r\n`);
  large.socket.write(Buffer.alloc(megabyte / 2));
  expect(await large.status).toBe(429);
  await server.run.event(session.session_id, "SESSION_END");
  expect(await open(server, `${head(path, headers)}\r\n\r\n`).status).toBe(404);
  await expect.poll(() => server.budget.total).toBe(0);
});

test("there are no WebSockets", async () => {
  const server = await served();
  const upgrade = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": 13,
  };
  for (const path of ["/api/v1/session/", "/embed/v1/sessions", "/"]) {
    const status = await open(server, `${head(path, upgrade, "GET")}\r\n\r\n`).status;
    expect(status).toBeGreaterThanOrEqual(400);
  }
});
