import { describe, expect, test } from "vitest";
import { apiKey } from "../service/service-fixture.ts";
import { errorCode, runRelay, type RunningRelay } from "./relay-fixture.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function open(relay: RunningRelay) {
  const { session, token } = await relay.newSession();
  return { path: `/embed/v1/sessions/${session.session_id}`, id: session.session_id, token };
}

describe("a session's token", () => {
  test("opens its own session to its own origin only; everything else is the same 404", async () => {
    const relay = await runRelay();
    const [mine, other] = [await open(relay), await open(relay)];
    expect((await relay.get(mine.path, bearer(mine.token))).status).toBe(200);
    const refused = await Promise.all([
      relay.get(mine.path),
      relay.get(other.path, bearer(mine.token)),
      relay.get(mine.path, { ...bearer(mine.token), origin: "https://evil.example" }),
      relay.get(mine.path, bearer(mine.token.slice(0, -4) + "AAAA")),
      relay.get("/embed/v1/sessions/0000000000000000000000000000000000000000", bearer(mine.token)),
      relay.get("/embed/v1/sessions/..%2F..", bearer(mine.token)),
    ]);
    const bodies = new Set<string>();
    for (const answer of refused) {
      expect(answer.status).toBe(404);
      bodies.add(await answer.text());
    }
    expect(bodies.size).toBe(1);
  });

  test("is renewed by heartbeats and over without them", async () => {
    const relay = await runRelay();
    const { path, token } = await open(relay);
    await relay.post(`${path}/event`, { event: "SESSION_START" }, bearer(token));
    let latest = token;
    for (let beat = 0; beat < 40; beat++) {
      relay.pass(10);
      const answer = await relay.post(`${path}/event`, { event: "SESSION_DURING" }, bearer(latest));
      expect(answer.status).toBe(201);
      latest = answer.headers.get("x-visavis-token")!;
    }
    expect(await errorCode(await relay.get(path, bearer(token)))).toBe("session_lost");
    expect((await relay.get(path, bearer(latest))).status).toBe(200);
    relay.pass(301);
    const over = await relay.get(path, bearer(latest));
    expect([over.status, await errorCode(over)]).toEqual([410, "session_lost"]);
  });
});

test("a limit of the session's engines comes through as rate_limited, with its limit and when it is over", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const ask = () =>
    relay.post(`${path}/llm`, { messages: [{ role: "user", content: "Hello" }] }, bearer(token));
  for (let turn = 0; turn < 20; turn++) await (await ask()).text();
  const refused = await ask();
  expect([refused.status, await errorCode(refused)]).toEqual([429, "rate_limited"]);
  expect(refused.headers.get("x-ratelimit-limit")).toBe("20");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("the retrieved session shows no prompt, description, tool server or key", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const text = await (await relay.get(path, bearer(token))).text();
  expect(JSON.parse(text)).toMatchObject({ status: "EXCHANGED", model_style: { name: "mina" } });
  for (const hidden of ["reading chair costs", "system_prompt", "mcp", "sdp", "v=0", "acls", apiKey]) {
    expect(text).not.toContain(hidden);
  }
});

test("events reach the service once, and terminate comes back", async () => {
  const relay = await runRelay();
  const { path, id, token } = await open(relay);
  await relay.post(`${path}/event`, { event: "SESSION_START" }, bearer(token));
  const ended = await relay.post(`${path}/event`, { event: "SESSION_END" }, bearer(token));
  expect(await ended.json()).toMatchObject({
    event: "SESSION_END",
    terminate: true,
    terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
  });
  expect(ended.headers.get("x-visavis-token")).toBeNull();
  expect((await relay.running.status(id)).status).toBe("TERMINATED");
});

test("what comes after a session's end is told as a lost session", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  await relay.post(`${path}/event`, { event: "SESSION_END" }, bearer(token));
  const offer = { client_sdp: { type: "offer", sdp: "v=0\r\n" } };
  expect(await errorCode(await relay.post(`${path}/exchange`, offer, bearer(token)))).toBe("session_lost");
});

test("an answer of the language model streams through", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const body = { messages: [{ role: "user", content: "How much is the Alder reading chair?" }] };
  const answer = await relay.post(`${path}/llm`, body, { ...bearer(token), accept: "text/event-stream" });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const text = await answer.text();
  expect(text).toMatch(/^data: \{/);
  expect(text).toContain("480");
});

test("a browser that leaves ends the stream behind the relay", async () => {
  const encoder = new TextEncoder();
  let cancelled = false;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode('data: {"status":"success"}\n\n')),
      cancel: () => void (cancelled = true),
    });
  const real = await runRelay();
  const relay = await runRelay({
    service: async (path, init) =>
      path.endsWith("/llm/v2/")
        ? new Response(endless(), { headers: { "content-type": "text/event-stream" } })
        : real.running.request(path, {
            ...init,
            headers: { ...Object.fromEntries(new Headers(init?.headers)), "ServicePlatform-APIKey": apiKey },
          }),
  });
  await real.changeContext((context) => (context.embed_config.allowed_origins = ["https://shop.example"]));
  const { path, token } = await open(relay);
  const answer = await relay.post(`${path}/llm`, { messages: [] }, bearer(token));
  const reader = answer.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("data:");
  await reader.cancel();
  expect(cancelled).toBe(true);
});

test("speech comes with its timings", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const answer = await relay.post(`${path}/tts`, { text: "Hello there" }, bearer(token));
  expect(Object.keys((await answer.json()) as object).sort()).toEqual([
    "audio",
    "format",
    "visemes",
    "words",
  ]);
});

test("faults of a request come back as they are; other kinds of bodies are not taken", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const blank = await relay.post(`${path}/tts`, { text: "" }, bearer(token));
  expect(blank.status).toBe(400);
  const plain = await relay.post(`${path}/tts`, {}, { ...bearer(token), "content-type": "text/plain" });
  expect([plain.status, await errorCode(plain)]).toEqual([415, "unsupported_media_type"]);
  const unknown = await relay.post(`${path}/nothing`, {}, bearer(token));
  expect([unknown.status, await errorCode(unknown)]).toEqual([404, "not_found"]);
});
