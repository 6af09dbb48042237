import { describe, expect, onTestFinished, test, vi } from "vitest";
import { errorBodySchema } from "../../src/protocol/schema/error-body.ts";
import { relaySessionResponseSchema } from "../../src/protocol/session/relay-session.ts";
import { serviceInProcess } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import { errorCode, offer, runRelay, shop, type RunningRelay } from "./relay-fixture.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("opening a session", () => {
  test("creates and exchanges in one round trip", async () => {
    const relay = await runRelay();
    const answer = await relay.post("/embed/v1/sessions", {
      context_id: "ctx_demo",
      client_sdp: offer,
      locale: "en",
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe(shop);
    const opened = relaySessionResponseSchema.parse(await answer.json());
    expect(opened.session.status).toBe("EXCHANGED");
    expect(opened.server_sdp?.sdp).toBe("v=0 answer 1");
    expect(Date.parse(opened.expires_at)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const stored = (await (
      await relay.running.get(`/api/v1/session/${opened.session.session_id}/`)
    ).json()) as Record<string, unknown>;
    expect(stored["extra_data"]).toMatchObject({ context_id: "ctx_demo", locale: "en", mode: "avatar" });
    expect((stored["capability"] as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["STF_WEBRTC", "LLM", "TTS"]),
    );
  });

  test("without an offer needs an exchange later", async () => {
    const relay = await runRelay();
    const opened = await relay.newSession({ client_sdp: undefined });
    expect(opened.server_sdp).toBeNull();
    const path = `/embed/v1/sessions/${opened.session.session_id}/exchange`;
    const exchanged = await relay.post(path, { client_sdp: offer }, bearer(opened.token));
    expect(await exchanged.json()).toEqual({ server_sdp: { type: "answer", sdp: "v=0 answer 1" } });
  });

  test("passes on the requested video at the create and every exchange, and how the video is sent", async () => {
    const relay = await runRelay();
    const video = { matte: "packed-alpha" };
    const opened = await relay.newSession({ video });
    expect(opened.video).toEqual(video);
    const path = `/embed/v1/sessions/${opened.session.session_id}/exchange`;
    const exchanged = await relay.post(path, { client_sdp: offer, video }, bearer(opened.token));
    expect(await exchanged.json()).toMatchObject({ video });
    expect(relay.running.media.exchanges.map(({ matte }) => matte)).toEqual(["packed-alpha", "packed-alpha"]);
    expect((await relay.newSession({})).video).toBeUndefined();
    const refused = await relay.post("/embed/v1/sessions", {
      ...{ context_id: "ctx_demo", client_sdp: offer },
      video: { matte: "chroma:#00ff00" },
    });
    expect(refused.status).toBe(400);
  });

  test("for text only needs just the language model", async () => {
    const relay = await runRelay();
    const opened = await relay.newSession({ mode: "text" });
    expect(opened.server_sdp).toBeNull();
    expect(relay.running.media.exchanges).toEqual([]);
  });

  test("ends the session whose exchange failed", async () => {
    const relay = await runRelay();
    relay.running.media.failure = new Error("no media");
    const answer = await relay.post("/embed/v1/sessions", { context_id: "ctx_demo", client_sdp: offer });
    expect([answer.status, await errorCode(answer)]).toEqual([503, "engine_failed"]);
    const created = relay.running.lines.find(({ message }) => message === "session created");
    expect(created).toBeDefined();
    expect(relay.running.lines.some((line) => JSON.stringify(line).includes("SESSION_MISC_ERROR"))).toBe(
      true,
    );
  });

  test.each([
    ["an unknown context", { context_id: "ctx_nobody" }, 404, "context_not_found"],
    ["a body that is no request", { context_id: 7 }, 400, "invalid"],
    [
      "an oversize offer",
      { context_id: "ctx_demo", client_sdp: { type: "offer", sdp: "v".repeat(70_000) } },
      400,
      "max_length",
    ],
    ["an oversize body", { context_id: "ctx_demo", padding: "v".repeat(300_000) }, 413, "max_length"],
  ])("refuses %s", async (_, body, status, code) => {
    const relay = await runRelay();
    const answer = await relay.post("/embed/v1/sessions", body);
    expect([answer.status, await errorCode(answer)]).toEqual([status, code]);
  });

  test("names each wrong field, and what it must be", async () => {
    const relay = await runRelay();
    const errors = async (body: object) =>
      errorBodySchema.parse(await (await relay.post("/embed/v1/sessions", body)).json()).errors;
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

  test("refuses other origins, and a request without an origin", async () => {
    const relay = await runRelay();
    const evil = await relay.post(
      "/embed/v1/sessions",
      { context_id: "ctx_demo" },
      { origin: "https://evil.example" },
    );
    expect([evil.status, await errorCode(evil)]).toEqual([403, "origin_not_allowed"]);
    const nameless = await relay.request("/embed/v1/sessions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ context_id: "ctx_demo" }),
    });
    expect([nameless.status, await errorCode(nameless)]).toEqual([403, "origin_not_allowed"]);
  });

  test("answers a preflight for any origin, cached for ten minutes", async () => {
    const relay = await runRelay();
    const answer = await relay.request("/embed/v1/sessions", {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-max-age")).toBe("600");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
    expect(answer.headers.get("vary")).toMatch(/Origin/);
  });
});

test("a preflight allows the headers that the page's own scripts add, such as those of tracing", async () => {
  const relay = await runRelay();
  const preflight = async (asked: string) => {
    const headers = { origin: "https://shop.example", "access-control-request-headers": asked };
    const answer = await relay.request("/embed/v1/sessions", { method: "OPTIONS", headers });
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
  const { session, token } = await relay.newSession();
  const path = `/embed/v1/sessions/${session.session_id}`;
  const recording = new FormData();
  recording.set("audio", new Blob(["RIFF"]), "speech.wav");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const answers = [
    relay.post(`${path}/tts`, { text: "Hello." }, bearer(token)),
    relay.request(`${path}/stt`, {
      method: "POST",
      headers: { ...bearer(token), origin: shop },
      body: recording,
    }),
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
    const answer = await relay.get("/embed/v1/contexts/ctx_demo").catch(() => null);
    expect(answer?.status).toBe(503);
    const text = await answer!.text();
    expect(text).toContain("engine_failed");
    expect(text).not.toMatch(/10\.0\.0\.7|vv_test_key/);
  });

  test("is reported as engine_failed when it rejects the relay's key", async () => {
    const relay = await runRelay();
    const broken = serviceInProcess(relay.running.service.app, "vv_wrong_key_0123456789");
    const other = await runRelay({
      service: (path, init) =>
        path === "/api/v1/session/"
          ? broken(path, init)
          : serviceInProcess(relay.running.service.app, apiKey)(path, init),
    });
    await relay.changeContext((context) => (context.embed_config.allowed_origins = [shop]));
    const answer = await other.post("/embed/v1/sessions", { context_id: "ctx_demo" });
    expect([answer.status, await errorCode(answer)]).toEqual([502, "engine_failed"]);
  });
});

describe("limits", () => {
  const start = (relay: RunningRelay, visitor: string, address = "192.0.2.1") =>
    relay.post(
      "/embed/v1/sessions",
      { context_id: "ctx_demo", mode: "text", visitor_id: visitor },
      { "x-test-address": address },
    );

  test("per visitor and minute: 429 with the time of the next try", async () => {
    const relay = await runRelay({ limits: { startsPerMinutePerVisitor: 2 } });
    expect((await start(relay, "visitor-1")).status).toBe(201);
    expect((await start(relay, "visitor-1")).status).toBe(201);
    const refused = await start(relay, "visitor-1");
    expect([refused.status, await errorCode(refused)]).toEqual([429, "rate_limited"]);
    const waitSec = Number(refused.headers.get("retry-after"));
    expect(waitSec).toBeGreaterThan(0);
    expect(refused.headers.get("x-ratelimit-reset")).not.toBeNull();
    expect((await start(relay, "visitor-2")).status).toBe(201);
    relay.pass(waitSec + 1);
    expect((await start(relay, "visitor-1")).status).toBe(201);
  });

  test("per address and minute", async () => {
    const relay = await runRelay({ limits: { startsPerMinutePerAddress: 1 } });
    expect((await start(relay, "visitor-1")).status).toBe(201);
    expect((await start(relay, "visitor-2")).status).toBe(429);
    expect((await start(relay, "visitor-3", "192.0.2.9")).status).toBe(201);
  });

  test("on live sessions: a place is free again after the end", async () => {
    const relay = await runRelay({ limits: { livePerVisitor: 1 } });
    const opened = (await (await start(relay, "visitor-1")).json()) as Awaited<
      ReturnType<typeof relay.newSession>
    >;
    const refused = await start(relay, "visitor-1");
    expect([refused.status, await errorCode(refused)]).toEqual([403, "quota_exceeded"]);
    const path = `/embed/v1/sessions/${opened.session.session_id}/event`;
    const headers = { ...bearer(opened.token), "x-test-address": "192.0.2.1" };
    expect((await relay.post(path, { event: "SESSION_END" }, headers)).status).toBe(201);
    expect((await start(relay, "visitor-1")).status).toBe(201);
  });

  test("of the owner count a visitor's conversations and the minutes of a day", async () => {
    const relay = await runRelay();
    await relay.changeContext((context) => {
      context.embed_config.limits = { sessions_per_visitor: 1, minutes_per_day: 1 };
    });
    const opened = (await (await start(relay, "visitor-1")).json()) as Awaited<
      ReturnType<typeof relay.newSession>
    >;
    expect(await errorCode(await start(relay, "visitor-1"))).toBe("quota_exceeded");
    let token = opened.token;
    const path = `/embed/v1/sessions/${opened.session.session_id}/event`;
    for (const event of ["SESSION_START", ...Array<string>(7).fill("SESSION_DURING")]) {
      relay.pass(10);
      const answer = await relay.post(path, { event }, bearer(token));
      token = answer.headers.get("x-visavis-token") ?? token;
    }
    expect(await errorCode(await start(relay, "visitor-2"))).toBe("quota_exceeded");
  });

  test("a session that could not be opened does not count as live", async () => {
    const relay = await runRelay({ limits: { livePerVisitor: 1 } });
    relay.running.media.failure = new Error("no media");
    const body = { context_id: "ctx_demo", client_sdp: offer, visitor_id: "visitor-1" };
    expect((await relay.post("/embed/v1/sessions", body)).status).toBe(503);
    relay.running.media.failure = null;
    expect((await relay.post("/embed/v1/sessions", body)).status).toBe(201);
  });
});
