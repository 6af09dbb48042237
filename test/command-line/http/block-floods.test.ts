import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createClientAddress } from "../../../src/command-line/http/client-address.ts";
import { type Fetch, listen } from "../../../src/command-line/http/http-server.ts";
import { blockFloods, RefusalGuard } from "../../../src/command-line/http/refusal-guard.ts";
import { readTrustedProxies } from "../../../src/command-line/settings/trusted-proxies.ts";
import { silentLog } from "../../service/service-fixture.ts";

const limit = 20;

/** A server that refuses everything except `/` and counts its requests. */
async function serve(proxies?: string) {
  const asked = { times: 0 };
  const answer: Fetch = (incoming) => {
    asked.times += 1;
    return new Response("", { status: new URL(incoming.url).pathname === "/" ? 200 : 404 });
  };
  const clientAddress = createClientAddress({
    proxies: readTrustedProxies(proxies, "PROXIES"),
    header: undefined,
    log: silentLog,
  });
  const guard = new RefusalGuard({ limit, log: silentLog });
  const server = await listen(blockFloods(answer, guard, clientAddress), 0, undefined, (address) =>
    guard.isBlocked(address),
  );
  onTestFinished(() => server.close(0));
  return { port: server.port, asked };
}

/** The status of an answer, or 0 if the connection was closed without one. */
function get(port: number, path: string, localAddress: string, headers = {}, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path, localAddress, headers, ...(agent && { agent }) });
    sent.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end();
  });
}

it("closes the connections of an address whose requests are refused too often, and answers everybody else", async () => {
  const { port, asked } = await serve();
  for (let time = 0; time <= limit; time++) expect(await get(port, "/missing", "127.0.0.2")).toBe(404);
  expect(await get(port, "/", "127.0.0.2")).toBe(0);
  expect(asked.times).toBe(limit + 1);
  expect(await get(port, "/", "127.0.0.1")).toBe(200);
});

it("closes connections that were open when the address was blocked", async () => {
  const { port, asked } = await serve();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let time = 0; time <= limit; time++)
    expect(await get(port, "/missing", "127.0.0.2", {}, agent)).toBe(404);
  expect(await get(port, "/", "127.0.0.2", {}, agent)).toBe(0);
  expect(asked.times).toBe(limit + 1);
});

it("does not read the body of a request from a blocked address", async () => {
  const { port } = await serve();
  for (let time = 0; time <= limit; time++) await get(port, "/missing", "127.0.0.2");
  const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  const closed = new Promise((resolve) => socket.on("close", resolve).on("error", () => undefined));
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  let taken = 0;
  const piece = Buffer.alloc(65_536);
  const feed = (): void => {
    socket.write(piece, (error) => {
      if (error || taken > 100_000_000) return;
      taken += piece.length;
      feed();
    });
  };
  feed();
  await closed;
  // The sender has sent only what the kernel's buffers hold: the server has not read more.
  expect(taken).toBeLessThan(20_000_000);
});

it("answers 429 to visitors behind a trusted proxy, whose connections others share", async () => {
  const { port } = await serve("127.0.0.3");
  const flood = { "x-forwarded-for": "192.0.2.1" };
  for (let time = 0; time <= limit; time++) await get(port, "/missing", "127.0.0.3", flood);
  expect(await get(port, "/", "127.0.0.3", flood)).toBe(429);
  expect(await get(port, "/", "127.0.0.3", { "x-forwarded-for": "192.0.2.2" })).toBe(200);
});

it("never blocks an address whose requests are answered", async () => {
  const { port } = await serve();
  for (let time = 0; time <= 3 * limit; time++) expect(await get(port, "/", "127.0.0.2")).toBe(200);
});
