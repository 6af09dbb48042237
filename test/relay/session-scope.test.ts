import { SignJWT, type JWTPayload } from "jose";
import { describe, expect } from "vitest";
import { serviceInProcess, type ServiceCall } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import {
  bearer,
  errorCode,
  failure,
  offer,
  type OpenSession,
  type RunningRelay,
  runRelay,
  relayTest as test,
} from "./relay-fixture.ts";

/** Forty heartbeats, after which the first token has expired. */
async function beatOn(relay: RunningRelay, session: OpenSession): Promise<void> {
  await session.event("SESSION_START");
  for (let beat = 0; beat < 40; beat++) {
    relay.pass(10);
    expect((await session.event("SESSION_DURING")).status).toBe(201);
  }
}

const hello = { messages: [{ role: "user", content: "Hello" }] };
const price = { messages: [{ role: "user", content: "How much is the Alder reading chair?" }] };

describe("a session's token", () => {
  test("gives access to its own session from its own origin only; everything else is the same 404", async ({
    relay,
    session: mine,
  }) => {
    const other = await relay.open();
    expect((await mine.get()).status).toBe(200);
    const refused = await Promise.all([
      relay.get(mine.path),
      relay.get(other.path, bearer(mine.token)),
      relay.get(mine.path, { ...bearer(mine.token), origin: "https://evil.example" }),
      relay.get(mine.path, bearer(mine.token.slice(0, -4) + "AAAA")),
      relay.get("/embed/v1/sessions/0000000000000000000000000000000000000000", bearer(mine.token)),
      relay.get("/embed/v1/sessions/..%2F..", bearer(mine.token)),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    expect(new Set(await Promise.all(refused.map((answer) => answer.text()))).size).toBe(1);
  });

  test("is read with the relay's own key, whatever key or algorithm its header names", async ({
    relay,
    session,
  }) => {
    const { path, token } = session;
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
    for (const one of forged)
      expect(await failure(await relay.get(path, bearer(one))), one).toBe("404 session_lost");
  });

  test("is renewed by heartbeats; the expired one gives access to nothing, not to a session that goes on either", async ({
    relay,
    session,
  }) => {
    await beatOn(relay, session);
    const before = await relay.running.store.events.list(session.id);
    const first = bearer(session.token);
    for (const answer of [
      await relay.get(session.path, first),
      await session.event("SESSION_END", first),
      await session.post("llm", hello, first),
      await session.post("exchange", { client_sdp: offer }, first),
    ])
      expect(await failure(answer)).toBe("410 session_lost");
    expect(await relay.running.store.events.list(session.id)).toEqual(before);
    expect((await session.get()).status).toBe(200);
    relay.pass(301);
    expect(await failure(await session.get())).toBe("410 session_lost");
  });
});

test("a limit of the session's engines is passed on as rate_limited, with the limit and its reset", async ({
  session,
}) => {
  for (let turn = 0; turn < 20; turn++) await (await session.post("llm", hello)).text();
  const refused = await session.post("llm", hello);
  expect(refused.headers.get("x-ratelimit-limit")).toBe("20");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await failure(refused)).toBe("429 rate_limited");
});

test("the retrieved session shows no prompt, description, tool server or key", async ({ session }) => {
  const text = await (await session.get()).text();
  expect(JSON.parse(text)).toMatchObject({ status: "EXCHANGED", model_style: { name: "mina" } });
  for (const hidden of ["reading chair costs", "system_prompt", "mcp", "sdp", "v=0", "acls", apiKey])
    expect(text).not.toContain(hidden);
});

test("events reach the service once, its termination is passed on, and later requests find a lost session", async ({
  relay,
  session,
}) => {
  await session.event("SESSION_START");
  const ended = await session.event("SESSION_END");
  expect(await ended.json()).toMatchObject({
    event: "SESSION_END",
    terminate: true,
    terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
  });
  expect(ended.headers.get("x-visavis-token")).toBeNull();
  expect((await relay.running.status(session.id)).status).toBe("TERMINATED");
  const late = await session.post("exchange", { client_sdp: { type: "offer", sdp: "v=0\r\n" } });
  expect(await errorCode(late)).toBe("session_lost");
});

test("the language model's answer is passed on as a stream", async ({ session }) => {
  const answer = await session.post("llm", price, { accept: "text/event-stream" });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
  const text = await answer.text();
  expect(text).toMatch(/^data: \{/);
  expect(text).toContain("480");
});

test("an answer begins early, and the question gets it", async ({ session }) => {
  expect((await session.post("llm/early", price)).status).toBe(204);
  expect(await (await session.post("llm", price)).text()).toContain("480");
});

test("the stream from the service is closed when the browser disconnects", async ({ relay: real }) => {
  const chunk = new TextEncoder().encode('data: {"status":"success"}\n\n');
  let cancelled = false;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(chunk),
      cancel: () => void (cancelled = true),
    });
  const service = serviceInProcess(real.running.service.app, apiKey);
  const relay = await runRelay({
    service: async (path, init) =>
      path.endsWith("/llm/v2/")
        ? new Response(endless(), { headers: { "content-type": "text/event-stream" } })
        : service(path, init),
  });
  const answer = await (await relay.open()).post("llm", { messages: [] });
  const reader = answer.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("data:");
  await reader.cancel();
  expect(cancelled).toBe(true);
});

test("speech is passed on with its timings", async ({ session }) => {
  const speech = (await (await session.post("tts", { text: "Hello there" })).json()) as object;
  const fields = ["accents", "audio", "format", "loudness", "visemes", "words"];
  expect(Object.keys(speech).toSorted()).toEqual(fields);
});

test("errors of a request are passed on unchanged; other kinds of bodies are rejected", async ({
  session,
}) => {
  expect((await session.post("tts", { text: "" })).status).toBe(400);
  const plain = await session.post("tts", {}, { "content-type": "text/plain" });
  expect(await failure(plain)).toBe("415 unsupported_media_type");
  expect(await failure(await session.post("nothing", {}))).toBe("404 not_found");
});

describe("a page that announces its leave", () => {
  test("has ten seconds to come back before its session ends", async ({ relay, session }) => {
    await session.event("SESSION_START");
    const answer = await session.post("leave", {});
    expect(await answer.json()).toEqual({ ends_at: expect.stringMatching(/^2026-01-01T00:00:1/) });
    relay.pass(9);
    expect((await session.event("SESSION_DURING")).status).toBe(201);
  });

  test("ends its session at once where the service does not know that", async () => {
    let service: ServiceCall = () => Promise.resolve(new Response(null, { status: 503 }));
    const relay = await runRelay({ service: (path, init) => service(path, init) });
    const inProcess = serviceInProcess(relay.running.service.app, apiKey);
    service = async (path, init) =>
      path.endsWith("/leave/") ? new Response(null, { status: 404 }) : inProcess(path, init);
    const { id, post } = await relay.open();
    expect((await post("leave", {})).status).toBe(200);
    expect(await relay.running.status(id)).toMatchObject({
      status: "TERMINATED",
      termination_reason: "GRACEFUL_TERMINATION",
    });
  });
});
