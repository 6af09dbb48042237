import { SignJWT, type JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { serviceInProcess, type ServiceCall } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import { errorCode, offer, runRelay, type RunningRelay } from "./relay-fixture.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function open(relay: RunningRelay) {
  const { session, token } = await relay.newSession();
  return { path: `/embed/v1/sessions/${session.session_id}`, id: session.session_id, token };
}

describe("a session's token", () => {
  test("gives access to its own session from its own origin only; everything else is the same 404", async () => {
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

  test("is read with the relay's own key, whatever key or algorithm its header names", async () => {
    const relay = await runRelay();
    const { path, token } = await open(relay);
    const [header, payload, signature] = token.split(".") as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as JWTPayload;
    const [own, strange] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
    const jwk = { kty: "oct", k: Buffer.from(strange).toString("base64url") };
    const signed = (extra: object, key: Uint8Array): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", ...extra }).sign(key);
    const named = (extra: object): string =>
      [Buffer.from(JSON.stringify({ alg: "HS256", ...extra })).toString("base64url"), payload].join(".");
    // A name of a key is nothing that the relay uses: with its own signature the token is its own.
    expect((await relay.get(path, bearer(await signed({ kid: "nobody's" }, own)))).status).toBe(200);
    const forged = [
      await signed({ kid: "unknown" }, strange),
      await signed({ kid: "../../../dev/null" }, new Uint8Array(32)),
      await signed({ jwk, kid: "mine" }, strange),
      await signed({ jku: "https://evil.example/keys" }, strange),
      await signed({ x5u: "https://evil.example/x" }, strange),
      `${named({ kid: "unknown" })}.${signature}`,
      `${named({ alg: "none" })}.`,
      `${named({ alg: "none", kid: "unknown" })}.${signature}`,
      `${named({ alg: "HS512" })}.${signature}`,
      `${named({ crit: ["exp"], exp: 1 })}.${signature}`,
      `${header}.${payload}.`,
      `${header}..${signature}`,
      "..",
      "a".repeat(5_000),
    ];
    for (const one of forged) {
      const answer = await relay.get(path, bearer(one));
      expect([answer.status, await errorCode(answer)], one).toEqual([404, "session_lost"]);
    }
  });

  test("that has expired gives access to nothing, not to a session that goes on either", async () => {
    const relay = await runRelay();
    const { path, token } = await open(relay);
    await relay.post(`${path}/event`, { event: "SESSION_START" }, bearer(token));
    let latest = token;
    for (let beat = 0; beat < 40; beat++) {
      relay.pass(10);
      const answer = await relay.post(`${path}/event`, { event: "SESSION_DURING" }, bearer(latest));
      latest = answer.headers.get("x-visavis-token")!;
    }
    const before = await relay.running.store.events.list(path.split("/").at(-1)!);
    for (const answer of [
      await relay.get(path, bearer(token)),
      await relay.post(`${path}/event`, { event: "SESSION_END" }, bearer(token)),
      await relay.post(`${path}/llm`, { messages: [{ role: "user", content: "Hello" }] }, bearer(token)),
      await relay.post(`${path}/exchange`, { offer }, bearer(token)),
    ])
      expect([answer.status, await errorCode(answer)]).toEqual([410, "session_lost"]);
    expect(await relay.running.store.events.list(path.split("/").at(-1)!)).toEqual(before);
    expect((await relay.get(path, bearer(latest))).status).toBe(200);
  });

  test("is renewed by heartbeats and expires without them", async () => {
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

test("a limit of the session's engines is passed on as rate_limited, with the limit and its reset", async () => {
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

test("events reach the service once, and its termination is passed on", async () => {
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

test("requests after a session's end are answered with a lost session", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  await relay.post(`${path}/event`, { event: "SESSION_END" }, bearer(token));
  const offer = { client_sdp: { type: "offer", sdp: "v=0\r\n" } };
  expect(await errorCode(await relay.post(`${path}/exchange`, offer, bearer(token)))).toBe("session_lost");
});

test("the language model's answer is passed on as a stream", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const body = { messages: [{ role: "user", content: "How much is the Alder reading chair?" }] };
  const answer = await relay.post(`${path}/llm`, body, { ...bearer(token), accept: "text/event-stream" });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
  const text = await answer.text();
  expect(text).toMatch(/^data: \{/);
  expect(text).toContain("480");
});

test("an answer begins early, and the question gets it", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const body = { messages: [{ role: "user", content: "How much is the Alder reading chair?" }] };
  expect((await relay.post(`${path}/llm/early`, body, bearer(token))).status).toBe(204);
  expect(await (await relay.post(`${path}/llm`, body, bearer(token))).text()).toContain("480");
});

test("the stream from the service is closed when the browser disconnects", async () => {
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

test("speech is passed on with its timings", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const answer = await relay.post(`${path}/tts`, { text: "Hello there" }, bearer(token));
  expect(Object.keys((await answer.json()) as object).sort()).toEqual([
    "accents",
    "audio",
    "format",
    "loudness",
    "visemes",
    "words",
  ]);
});

test("errors of a request are passed on unchanged; other kinds of bodies are rejected", async () => {
  const relay = await runRelay();
  const { path, token } = await open(relay);
  const blank = await relay.post(`${path}/tts`, { text: "" }, bearer(token));
  expect(blank.status).toBe(400);
  const plain = await relay.post(`${path}/tts`, {}, { ...bearer(token), "content-type": "text/plain" });
  expect([plain.status, await errorCode(plain)]).toEqual([415, "unsupported_media_type"]);
  const unknown = await relay.post(`${path}/nothing`, {}, bearer(token));
  expect([unknown.status, await errorCode(unknown)]).toEqual([404, "not_found"]);
});

describe("a page that announces its leave", () => {
  const stored = async (relay: RunningRelay, id: string): Promise<Record<string, unknown>> =>
    (await (await relay.running.get(`/api/v1/session/${id}/`)).json()) as Record<string, unknown>;

  test("has ten seconds to come back before its session ends", async () => {
    const relay = await runRelay();
    const { path, token } = await open(relay);
    await relay.post(`${path}/event`, { event: "SESSION_START" }, bearer(token));
    const answer = await relay.post(`${path}/leave`, {}, bearer(token));
    expect(await answer.json()).toEqual({ ends_at: expect.stringMatching(/^2026-01-01T00:00:1/) });
    relay.pass(9);
    expect((await relay.post(`${path}/event`, { event: "SESSION_DURING" }, bearer(token))).status).toBe(201);
  });

  test("ends its session at once where the service does not know that", async () => {
    let service: ServiceCall = () => Promise.resolve(new Response(null, { status: 503 }));
    const relay = await runRelay({ service: (path, init) => service(path, init) });
    const inProcess = serviceInProcess(relay.running.service.app, apiKey);
    service = async (path, init) =>
      path.endsWith("/leave/") ? new Response(null, { status: 404 }) : inProcess(path, init);
    const { id, path, token } = await open(relay);
    expect((await relay.post(`${path}/leave`, {}, bearer(token))).status).toBe(200);
    expect(await stored(relay, id)).toMatchObject({
      status: "TERMINATED",
      termination_reason: "GRACEFUL_TERMINATION",
    });
  });
});
