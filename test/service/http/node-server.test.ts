import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import { runService } from "../service-fixture.ts";

async function served() {
  const run = await runService();
  const server = await listen((request, environment) => run.service.app.fetch(request, environment), 0);
  onTestFinished(() => server.close(100));
  const session = await run.newSession({ capability: ["TTS"] });
  return { run, url: `http://127.0.0.1:${server.port}/api/v1/session/${session}/event/create/` };
}

const json = { "Content-Type": "application/json" };

test("under Node's server, bodies of every type are read, and every origin can read the answers", async () => {
  const { url } = await served();
  const form = new FormData();
  form.set("event", "SESSION_LOG");
  form.set("file", new Blob(["hello"]), "hello.txt");
  const bodies: RequestInit[] = [
    { headers: json, body: JSON.stringify({ event: "SESSION_START", detail: "grüß" }) },
    { body: new URLSearchParams({ event: "SESSION_DURING" }) },
    { body: form },
  ];
  for (const init of bodies) {
    const response = await fetch(url, { method: "POST", ...init });
    expect(response.status).toBe(201);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Content-Length")).not.toBeNull();
  }
});

test("under Node's server, a body that is too large gets an answer before the connection is closed", async () => {
  const { url } = await served();
  const pieces = new ReadableStream({
    start(controller) {
      for (let piece = 0; piece < 40; piece++) controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      controller.close();
    },
  });
  const init = { method: "POST", headers: json, body: pieces, duplex: "half" };
  const response = await fetch(url, init);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ code: "max_length" }] });
});

test("a preflight is answered for every origin", async () => {
  const { url } = await served();
  const response = await fetch(url, {
    method: "OPTIONS",
    headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("Access-Control-Allow-Methods")).toContain("POST");
  const headers = response.headers.get("Access-Control-Allow-Headers")?.split(",");
  expect(headers).toEqual(expect.arrayContaining(["*", "Content-Type", "Authorization"]));
  expect(response.headers.get("Access-Control-Allow-Credentials")).toBeNull();
});
