import { describe, expect, test } from "vitest";
import { authErrorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { sessionRetrievedSchema } from "../../../src/protocol/session/session.ts";
import { createRelay, serviceInProcess } from "../../../src/relay/index.ts";
import {
  defaultRateLimits,
  defaultServiceSettings,
  type ServiceSettings,
} from "../../../src/service/service-settings.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { addOtherOrganization, apiKey, runService, type RunningService } from "../service-fixture.ts";
import { putFullCatalogue } from "./full-catalogue.ts";

const relayToken = "the-relay-token-of-this-installation";

const keyed = { "ServicePlatform-APIKey": apiKey };
const relayed = { "Visavis-Relay-Token": relayToken };

const recognizer: SpeechRecognizer = {
  recognize: () => Promise.resolve({ text: "", locale: null }),
  close: () => Promise.resolve(),
};

const run = (settings: Partial<ServiceSettings> = {}) =>
  runService({
    recognizer: () => recognizer,
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      sessionAccess: "key",
      relayToken,
      ...settings,
    },
  });

/** Every operation of a session but event create, each with a valid body. */
const operations: [string, string, unknown?][] = [
  ["GET", ""],
  ["GET", "ice-servers/"],
  ["GET", "event/"],
  ["GET", "event/00000000-0000-7000-8000-000000000000/file/"],
  ["POST", "exchange/", { client_sdp: { type: "offer", sdp: "v=0" } }],
  ["POST", "tts/", { text: "Hello" }],
  ["POST", "stt/", {}],
  ["POST", "llm/v2/", { messages: [{ role: "user", content: "Hi" }] }],
];

function call(
  service: RunningService,
  [method, path, body]: [string, string, unknown?],
  session: string,
  headers: Record<string, string>,
): Promise<Response> {
  return service.request(`/api/v1/session/${session}/${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A session that names an entry of every kind. Fields that a browser must not read contain the word "canary". */
async function tellingSession(service: RunningService): Promise<string> {
  await putFullCatalogue(service);
  await service.store.catalogue.put({
    kind: "prompt",
    id: "p2",
    name: "p2",
    organizationId: service.organizationId,
    createdAtMs: 0,
    body: {
      prompt_id: "p2",
      name: "p2",
      system_prompt: "canary of the prompt",
      description: "canary of its description",
      require_document: false,
      intro_message: "Welcome",
    },
  });
  return service.newSession({
    capability: ["STF_WEBRTC", "LLM", "TTS", "STT"],
    prompt: "p2",
    document: "d1",
    stt_type: "ears",
    text_normalization_config: "n1",
    stt_text_normalization_config: "n1",
    mcp_servers: ["orders"],
    extra_data: { customer: "canary of the caller" },
  });
}

describe("a session that is read without a key", () => {
  test.each([
    ["a caller who knows its id", "open", {}],
    ["the relay", "key", relayed],
    ["the relay with a key", "key", { ...keyed, ...relayed }],
  ] as const)("%s sees only what a browser may know", async (_who, sessionAccess, headers) => {
    const service = await run({ sessionAccess });
    const session = await tellingSession(service);
    const text = await (await service.request(`/api/v1/session/${session}/`, { headers })).text();
    for (const hidden of [
      "canary",
      "system_prompt",
      "tools.example",
      "hooks.example",
      "hook",
      "Be brief",
      '"d1"',
      "beam",
    ])
      expect(text).not.toContain(hidden);
    expect(sessionRetrievedSchema.parse(JSON.parse(text))).toMatchObject({
      prompt: { prompt_id: "p2", intro_message: "Welcome" },
      tts_type: { name: "visavis-slt" },
      stt_type: { name: "ears" },
      text_normalization_config: { name: "Words" },
      model_style: { name: "mina" },
      agent_config: null,
      mcp_servers: [],
      document: null,
      extra_data: null,
    });
  });

  test("a key of the session's organization sees all of it", async () => {
    const service = await run();
    const session = await tellingSession(service);
    expect(await (await service.get(`/api/v1/session/${session}/`)).json()).toMatchObject({
      prompt: { system_prompt: "canary of the prompt" },
      text_normalization_config: { pre_hook_url: "https://hooks.example/pre" },
      mcp_servers: [{ auth_header: "Bearer canary", url: "https://tools.example" }],
      document: "d1",
      extra_data: { customer: "canary of the caller" },
    });
  });
});

describe("when session paths need a key", () => {
  test.each(operations)(
    "%s %s is refused without one, and the error says what to do",
    async (...operation) => {
      const service = await run();
      const session = await service.newSession();
      for (const id of [session, "0".repeat(40), "no-id"])
        for (const headers of [{}, { "Visavis-Relay-Token": "another" }]) {
          const refused = await call(service, operation, id, headers);
          expect(refused.status).toBe(401);
          const { code, message } = authErrorBodySchema.parse(await refused.json());
          expect(code).toBe("A0010");
          expect(message).toMatch(/ServicePlatform-APIKey.*relay.*VISAVIS_SESSION_ACCESS=open/);
        }
      expect(service.media.exchanges).toEqual([]);
    },
  );

  test.each(operations)("%s %s is allowed with a key and for the relay", async (...operation) => {
    const service = await run();
    const session = await service.newSession();
    expect((await call(service, operation, session, keyed)).status).not.toBe(401);
    const relayStatus = (await call(service, operation, session, relayed)).status;
    // The list of events is for the holder of a key.
    expect(relayStatus === 401).toBe(operation[1] === "event/");
  });

  test("the relay gets 404 for an unknown session, and its token gives no other access", async () => {
    const service = await run();
    const path = `/api/v1/session/${"0".repeat(40)}/`;
    expect((await service.request(path, { headers: relayed })).status).toBe(404);
    for (const other of ["/api/v1/prompt/", "/api/console/b2c/contexts/", "/metrics"])
      expect((await service.request(other, { headers: relayed })).status).toBe(401);
  });

  test("an event is reported with the session's id alone, from every page, and counts for the session", async () => {
    const service = await run();
    const session = await service.newSession();
    const headers = { Origin: "https://shop.example" };
    const report: [string, string, unknown] = ["POST", "event/create/", { event: "SESSION_START" }];
    const reported = await call(service, report, session, headers);
    expect(reported.status).toBe(201);
    expect(await reported.json()).toMatchObject({ event: "SESSION_START", terminate: false });
    expect(reported.headers.get("access-control-allow-origin")).toBe("*");
    expect(reported.headers.get("x-ratelimit-limit")).toBe(String(defaultRateLimits.session.writes));
    const preflight = await service.request(`/api/v1/session/${session}/event/create/`, {
      method: "OPTIONS",
      headers: { ...headers, "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    for (const id of ["0".repeat(40), "no-id"])
      expect((await call(service, report, id, {})).status).toBe(404);
    const wrong = { "ServicePlatform-APIKey": "vv_unknown_key_0123456789" };
    expect((await call(service, report, session, wrong)).status).toBe(404);
    // What it stores is read with a key.
    for (const path of ["event/", "event/create/"])
      expect((await call(service, ["GET", path], session, {})).status).toBe(path === "event/" ? 401 : 405);
  });

  test("a key of another organization is refused as usual, also together with the relay token", async () => {
    const service = await run();
    const session = await service.newSession();
    await addOtherOrganization(service, "vv_other_key_0123456789");
    const other = { "ServicePlatform-APIKey": "vv_other_key_0123456789" };
    for (const headers of [other, { ...other, ...relayed }])
      expect((await service.request(`/api/v1/session/${session}/`, { headers })).status).toBe(403);
    const unknown = { "ServicePlatform-APIKey": "vv_unknown_key_0123456789", ...relayed };
    expect((await service.request(`/api/v1/session/${session}/`, { headers: unknown })).status).toBe(404);
  });

  test("no page of another origin may call them", async () => {
    const service = await run();
    const session = await service.newSession();
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    const preflight = await service.request(`/api/v1/session/${session}/exchange/`, {
      method: "OPTIONS",
      headers,
    });
    expect(preflight.headers.has("access-control-allow-origin")).toBe(false);
    const answer = await service.request(`/api/v1/session/${session}/`, {
      headers: { ...headers, ...keyed },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });

  test("callers without a key do not use up the session's own requests", async () => {
    const service = await run({
      rateLimits: { ...defaultRateLimits, session: { reads: 2, writes: 2 } },
    });
    const session = await service.newSession();
    for (let attempt = 0; attempt < 5; attempt++) await service.request(`/api/v1/session/${session}/`);
    expect((await service.request(`/api/v1/session/${session}/`, { headers: relayed })).status).toBe(200);
  });
});

test("the relay's heartbeats count for their session and never for the API key", async () => {
  const service = await run({ rateLimits: { ...defaultRateLimits, key: { reads: 100, writes: 3 } } });
  const call = serviceInProcess(service.service.app, apiKey, { relayToken });
  const session = await service.newSession();
  for (const headers of [{}, keyed])
    for (let beat = 0; beat < 10; beat++) {
      const answer = await call(`/api/v1/session/${session}/event/create/`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ event: "SESSION_DURING" }),
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("600");
    }
  expect((await service.send("POST", "/api/v1/session/", {})).headers.get("x-ratelimit-remaining")).toBe("1");
});

test("a browser behind the relay cannot read the token, and a token that it sends is not passed on", async () => {
  const service = await run();
  const seen: string[] = [];
  const call = serviceInProcess(service.service.app, apiKey, { relayToken });
  const relay = createRelay({
    service: async (path, init) => {
      seen.push(`${path} ${new Headers(init?.headers).get("visavis-relay-token") ?? "none"}`);
      return call(path, init);
    },
    tokenSecret: new Uint8Array(32).fill(7),
    assets: { read: () => Promise.resolve(null) },
    publicUrl: "https://relay.example",
  });
  const headers = {
    origin: "https://relay.example",
    "content-type": "application/json",
    "Visavis-Relay-Token": "from the browser",
  };
  const started = await relay.request("https://relay.example/embed/v1/sessions", {
    method: "POST",
    headers,
    body: JSON.stringify({ context_id: "ctx_demo", client_sdp: { type: "offer", sdp: "v=0" } }),
  });
  const text = await started.text();
  expect(started.status).toBe(201);
  const { session, token } = JSON.parse(text) as { session: { session_id: string }; token: string };
  const retrieved = await relay.request(`https://relay.example/embed/v1/sessions/${session.session_id}`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  expect(retrieved.status).toBe(200);
  for (const answer of [text, await retrieved.text(), JSON.stringify([...retrieved.headers])])
    expect(answer).not.toContain(relayToken);
  expect(JSON.stringify(service.lines)).not.toContain(relayToken);
  expect(new Set(seen.map((line) => line.split(" ")[1]))).toEqual(new Set(["none"]));
});
