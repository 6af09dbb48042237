import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";

async function port(): Promise<number> {
  const fetch = ({ url }: Request): Response =>
    new Response("page", url.includes("/own") ? { headers: { "X-RateLimit-Limit": "7" } } : {});
  const server = await listen(fetch, 0, undefined, undefined, 600);
  onTestFinished(() => server.close(100));
  return server.port;
}

/** Everything that the server answers to a text until it closes the connection. */
async function answerTo(text: string): Promise<string> {
  const socket = connect({ port: await port(), host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.end(text);
  let received = "";
  for await (const piece of socket) received += String(piece);
  return received;
}

/** `askedSec`: when the answer was asked for, at the latest. */
const inWindow = (head: string, askedSec: number): void => {
  expect(head).toMatch(/X-RateLimit-Limit: 600\r\n/i);
  expect(head).toMatch(/X-RateLimit-Remaining: 600\r\n/i);
  const resetSec = Number(/X-RateLimit-Reset: (\d+)\r\n/i.exec(head)?.[1]);
  expect(resetSec).toBeGreaterThan(askedSec);
  expect(resetSec).toBeLessThanOrEqual(Date.now() / 1000 + 60);
};

test.each([
  ["400", "what is no request", "nonsense\r\n\r\n"],
  ["431", "headers that are too large", `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`],
  [
    "417",
    "an expectation",
    "POST / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  ],
])("%s for %s tells the limits and why, like all other errors", async (status, _what, text) => {
  const askedSec = Date.now() / 1000;
  const [head = "", body = ""] = (await answerTo(text)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  inWindow(`${head}\r\n`, askedSec);
  const json = /\{.*\}/.exec(body)?.[0] ?? "";
  expect(JSON.parse(json)).toMatchObject({ type: "client_error", errors: [{ attr: null }] });
});

test("pages and files tell the limits; apps that count tell their own", async () => {
  const url = `http://127.0.0.1:${await port()}`;
  const askedSec = Date.now() / 1000;
  const page = await fetch(`${url}/console/`);
  inWindow([...page.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(""), askedSec);
  expect((await fetch(`${url}/own`)).headers.get("x-ratelimit-limit")).toBe("7");
  expect((await fetch(`${url}/api/v1/`)).headers.get("x-ratelimit-limit")).toBeNull();
});
