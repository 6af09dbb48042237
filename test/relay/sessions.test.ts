import { describe, expect, onTestFinished, vi } from "vitest";
import { errorBodySchema } from "../../src/protocol/schema/error-body.ts";
import { relaySessionResponseSchema } from "../../src/protocol/session/relay-session.ts";
import { serviceInProcess } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import { bearer, failure, offer, relayTest as test, runRelay, shop } from "./relay-fixture.ts";

const sessions = "/embed/v1/sessions";
const answered = { server_sdp: { type: "answer", sdp: "v=0 answer 1" } };

describe("opening a session", () => {
  test("creates and exchanges in one round trip", async ({ relay }) => {
    const answer = await relay.post(sessions, { context_id: "ctx_demo", client_sdp: offer, locale: "en" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe(shop);
    const opened = relaySessionResponseSchema.parse(await answer.json());
    expect(opened).toMatchObject({ session: { status: "EXCHANGED" }, ...answered });
    expect(Date.parse(opened.expires_at)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const path = `/api/v1/session/${opened.session.session_id}/`;
    const stored = (await (await relay.running.get(path)).json()) as Record<string, unknown>;
    expect(stored["extra_data"]).toMatchObject({ context_id: "ctx_demo", locale: "en", mode: "avatar" });
    expect((stored["capability"] as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["STF_WEBRTC", "LLM", "TTS"]),
    );
  });

  test("without an offer needs an exchange later", async ({ relay }) => {
    const { opened, post } = await relay.open({ client_sdp: undefined });
    expect(opened.server_sdp).toBeNull();
    expect(await (await post("exchange", { client_sdp: offer })).json()).toEqual(answered);
  });

  test("passes on the requested video at the create and every exchange, and how the video is sent", async ({
    relay,
  }) => {
    const video = { matte: "packed-alpha" };
    const { opened, post } = await relay.open({ video });
    expect(opened.video).toEqual(video);
    expect(await (await post("exchange", { client_sdp: offer, video })).json()).toMatchObject({ video });
    expect(relay.running.media.exchanges.map(({ matte }) => matte)).toEqual(["packed-alpha", "packed-alpha"]);
    expect((await relay.newSession({})).video).toBeUndefined();
    const odd = { context_id: "ctx_demo", client_sdp: offer, video: { matte: "chroma:#00ff00" } };
    expect((await relay.post(sessions, odd)).status).toBe(400);
  });

  test("for text only needs just the language model", async ({ relay }) => {
    expect((await relay.newSession({ mode: "text" })).server_sdp).toBeNull();
    expect(relay.running.media.exchanges).toEqual([]);
  });

  test("ends the session whose exchange failed, and does not count it as live", async () => {
    const relay = await runRelay({ limits: { livePerVisitor: 1 } });
    relay.running.media.failure = new Error("no media");
    const body = { context_id: "ctx_demo", client_sdp: offer, visitor_id: "visitor-1" };
    expect(await failure(await relay.post(sessions, body))).toBe("503 engine_failed");
    const lines = relay.running.lines.map((line) => JSON.stringify(line));
    expect(lines.filter((line) => line.includes("session created"))).toHaveLength(1);
    expect(lines.some((line) => line.includes("SESSION_MISC_ERROR"))).toBe(true);
    relay.running.media.failure = null;
    expect((await relay.post(sessions, body)).status).toBe(201);
  });

  const long = { type: "offer", sdp: "v".repeat(70_000) };
  test.each([
    ["an unknown context", { context_id: "ctx_nobody" }, "404 context_not_found"],
    ["a body that is no request", { context_id: 7 }, "400 invalid"],
    ["an oversize offer", { context_id: "ctx_demo", client_sdp: long }, "400 max_length"],
    ["an oversize body", { context_id: "ctx_demo", padding: "v".repeat(300_000) }, "413 max_length"],
  ])("refuses %s", async (_, body, refusal) => {
    const relay = await runRelay();
    expect(await failure(await relay.post(sessions, body))).toBe(refusal);
  });

  test("names each wrong field, and what it must be", async ({ relay }) => {
    const errors = async (body: object) =>
      errorBodySchema.parse(await (await relay.post(sessions, body)).json()).errors;
    expect(await errors({ client_sdp: null, mode: "sung", locale: 5, visitor_id: "no spaces" })).toEqual([
      { code: "required", detail: "This field is required.", attr: "context_id" },
      { code: "null", detail: "This field may not be null.", attr: "client_sdp" },
      { code: "invalid", detail: "This field must be a text.", attr: "locale" },
      { code: "invalid_choice", detail: "Allowed here: avatar, voice, text.", attr: "mode" },
      {
        code: "invalid",
        detail: "Invalid string: must match pattern /^[A-Za-z0-9_-]{8,64}$/",
        attr: "visitor_id",
      },
    ]);
    expect(await errors([])).toEqual([
      { code: "invalid", detail: "The body must be an object.", attr: null },
    ]);
    expect(await errors({ context_id: "" })).toMatchObject([{ code: "blank", attr: "context_id" }]);
  });

  test("refuses other origins, and a request without an origin", async ({ relay }) => {
    const body = { context_id: "ctx_demo" };
    const evil = await relay.post(sessions, body, { origin: "https://evil.example" });
    expect(await failure(evil)).toBe("403 origin_not_allowed");
    const headers = { "content-type": "application/json" };
    expect(
      await failure(await relay.request(sessions, { method: "POST", headers, body: JSON.stringify(body) })),
    ).toBe("403 origin_not_allowed");
  });

  test("answers a preflight for any origin, cached for ten minutes", async ({ relay }) => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const answer = await relay.request(sessions, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-max-age")).toBe("600");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
    expect(answer.headers.get("vary")).toMatch(/Origin/);
  });
});

test("a preflight allows the headers that the page's own scripts add, such as those of tracing", async ({
  relay,
}) => {
  const preflight = async (asked: string) => {
    const headers = { origin: "https://shop.example", "access-control-request-headers": asked };
    const answer = await relay.request(sessions, { method: "OPTIONS", headers });
    return answer.headers.get("access-control-allow-headers");
  };
  expect(await preflight("content-type,sentry-trace,baggage,traceparent")).toBe(
    "authorization, content-type, content-type,sentry-trace,baggage,traceparent",
  );
  expect(await preflight("x: y")).toBe("authorization, content-type");
});

test("a slow voice and a slow recognizer are waited for as long as their own settings allow", async () => {
  const { running } = await runRelay();
  const service = serviceInProcess(running.service.app, apiKey);
  const waiting: (() => void)[] = [];
  const relay = await runRelay({
    service: (path, init) => {
      if (!/\/(?:tts|stt)\/$/.test(path)) return service(path, init);
      return new Promise((resolve) => waiting.push(() => resolve(Response.json({ text: "Late." }))));
    },
  });
  const { path, token, post } = await relay.open();
  const recording = new FormData();
  recording.set("audio", new Blob(["RIFF"]), "speech.wav");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const headers = { ...bearer(token), origin: shop };
  const answers = [
    post("tts", { text: "Hello." }),
    relay.request(`${path}/stt`, { method: "POST", headers, body: recording }),
  ];
  await expect.poll(() => waiting).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const answer of waiting) answer();
  for (const answer of await Promise.all(answers)) expect(await answer.json()).toEqual({ text: "Late." });
});

describe("a service that fails", () => {
  test("is reported as engine_failed without details when it is not running", async () => {
    const relay = await runRelay({
      service: () => Promise.reject(new Error(`connect ECONNREFUSED 10.0.0.7:9000 key ${apiKey}`)),
    });
    const answer = await relay.get("/embed/v1/contexts/ctx_demo");
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain("engine_failed");
    expect(text).not.toMatch(/10\.0\.0\.7|vv_test_key/);
  });

  test("is reported as engine_failed when it rejects the relay's key", async ({ relay }) => {
    const [broken, real] = ["vv_wrong_key_0123456789", apiKey].map((key) =>
      serviceInProcess(relay.running.service.app, key),
    );
    const other = await runRelay({
      service: (path, init) => (path === "/api/v1/session/" ? broken : real)!(path, init),
    });
    await relay.changeContext((context) => (context.embed_config.allowed_origins = [shop]));
    expect(await failure(await other.post(sessions, { context_id: "ctx_demo" }))).toBe("502 engine_failed");
  });
});

test("limits per visitor and minute: 429 with the time of the next try", async () => {
  const relay = await runRelay({ limits: { startsPerMinutePerVisitor: 2 } });
  for (let start = 0; start < 2; start++) expect((await relay.start()).status).toBe(201);
  const refused = await relay.start();
  const waitSec = Number(refused.headers.get("retry-after"));
  expect(waitSec).toBeGreaterThan(0);
  expect(refused.headers.get("x-ratelimit-reset")).not.toBeNull();
  expect(await failure(refused)).toBe("429 rate_limited");
  expect((await relay.start("visitor-2")).status).toBe(201);
  relay.pass(waitSec + 1);
  expect((await relay.start()).status).toBe(201);
});
