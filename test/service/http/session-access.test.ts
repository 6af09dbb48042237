import { describe, expect } from "vitest";
import { authErrorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { createRelay, serviceInProcess } from "../../../src/relay/index.ts";
import { defaultRateLimits, type ServiceSettings } from "../../../src/service/service-settings.ts";
import { jsonOf, statusOf } from "../answers.ts";
import { addOtherOrganization, apiKey, type RunningService, settingsWith } from "../service-fixture.ts";
import { runFullCatalogue } from "./full-catalogue.ts";
import { testWith } from "./shared-service.ts";

const relayToken = "the-relay-token-of-this-installation";
const keyed = { "ServicePlatform-APIKey": apiKey };
const relayed = { "Visavis-Relay-Token": relayToken };
const otherKey = "vv_other_key_0123456789";

/** A service whose catalogue and sessions tell: what a browser must not read has the word "canary". */
async function runTelling(changes: Partial<ServiceSettings> = {}, given = {}): Promise<RunningService> {
  const settings = settingsWith({ sessionAccess: "key", relayToken, ...changes });
  const run = await runFullCatalogue({ ...given, settings });
  await run.put("prompt", "p2", {
    ...{ prompt_id: "p2", name: "p2", system_prompt: "canary of the prompt", require_document: false },
    ...{ description: "canary of its description", intro_message: "Welcome" },
  });
  await addOtherOrganization(run, otherKey);
  return run;
}

const test = testWith((given) => runTelling({}, given));
const open = testWith((given) => runTelling({ sessionAccess: "open" }, given));

/** A session that names an entry of every kind. */
const tellingSession = (run: RunningService): Promise<string> =>
  run.newSession({
    ...{ capability: ["STF_WEBRTC", "LLM", "TTS", "STT"], prompt: "p2", document: "d1", stt_type: "ears" },
    ...{ text_normalization_config: "n1", stt_text_normalization_config: "n1", mcp_servers: ["orders"] },
    extra_data: { customer: "canary of the caller" },
  });

type Operation = [method: string, path: string, body?: unknown];

/** Every operation of a session but event create, each with a valid body. */
const operations: Operation[] = [
  ["GET", ""],
  ["GET", "ice-servers/"],
  ["GET", "event/"],
  ["GET", "event/00000000-0000-7000-8000-000000000000/file/"],
  ["POST", "exchange/", { client_sdp: { type: "offer", sdp: "v=0" } }],
  ["POST", "tts/", { text: "Hello" }],
  ["POST", "stt/", {}],
  ["POST", "llm/v2/", { messages: [{ role: "user", content: "Hi" }] }],
];

const call = (
  run: RunningService,
  [method, path, body]: Operation,
  session: string,
  headers: Record<string, string>,
): Promise<Response> =>
  run.request(`/api/v1/session/${session}/${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

describe("a session", () => {
  async function expectTellsNothing(run: RunningService, headers: Record<string, string>): Promise<void> {
    const session = await tellingSession(run);
    const read = await jsonOf(run.request(`/api/v1/session/${session}/`, { headers }));
    expect(JSON.stringify(read)).not.toMatch(
      /canary|system_prompt|tools\.example|hooks\.example|hook|Be brief|"d1"|beam/,
    );
    expect(read).toMatchObject({
      prompt: { prompt_id: "p2", intro_message: "Welcome" },
      ...{ tts_type: { name: "visavis-slt" }, stt_type: { name: "ears" }, model_style: { name: "mina" } },
      text_normalization_config: { name: "Words" },
      ...{ agent_config: null, mcp_servers: [], document: null, extra_data: null },
    });
  }

  open("tells a caller who knows its id only what a browser may know", async ({ run }) =>
    expectTellsNothing(run, {}),
  );

  test.for([relayed, { ...keyed, ...relayed }])(
    "tells the relay only what a browser may know, also with a key: %j",
    async (headers, { run }) => expectTellsNothing(run, headers),
  );

  test("tells a key of its organization all of it", async ({ run }) => {
    expect(await jsonOf(run.get(`/api/v1/session/${await tellingSession(run)}/`))).toMatchObject({
      prompt: { system_prompt: "canary of the prompt" },
      text_normalization_config: { pre_hook_url: "https://hooks.example/pre" },
      mcp_servers: [{ auth_header: "Bearer canary", url: "https://tools.example" }],
      document: "d1",
      extra_data: { customer: "canary of the caller" },
    });
  });
});

describe("when session paths need a key", () => {
  test.for(operations)(
    "%s %s is refused without one, and the error says what to do",
    async (operation, { run }) => {
      const session = await run.newSession();
      for (const id of [session, "0".repeat(40), "no-id"])
        for (const headers of [{}, { "Visavis-Relay-Token": "another" }]) {
          const refused = await call(run, operation, id, headers);
          expect(refused.status).toBe(401);
          const { code, message } = authErrorBodySchema.parse(await refused.json());
          expect(code).toBe("A0010");
          expect(message).toMatch(/ServicePlatform-APIKey.*relay.*VISAVIS_SESSION_ACCESS=open/);
        }
      expect(run.media.exchanges.filter(({ sessionId }) => sessionId === session)).toEqual([]);
      // With a key it is allowed, and to the relay; but the list of events is for the holder of a key.
      expect(await statusOf(call(run, operation, session, keyed))).not.toBe(401);
      const relayStatus = await statusOf(call(run, operation, session, relayed));
      expect(relayStatus === 401).toBe(operation[1] === "event/");
    },
  );

  test("the relay gets 404 for an unknown session, and its token gives no other access", async ({ run }) => {
    const get = (path: string) => statusOf(run.request(path, { headers: relayed }));
    expect(await get(`/api/v1/session/${"0".repeat(40)}/`)).toBe(404);
    for (const other of ["/api/v1/prompt/", "/api/console/b2c/contexts/", "/metrics"])
      expect(await get(other)).toBe(401);
  });

  test("an event is reported with the session's id alone, from every page, and counts for the session", async ({
    run,
  }) => {
    const session = await run.newSession();
    const headers = { Origin: "https://shop.example" };
    const report: Operation = ["POST", "event/create/", { event: "SESSION_START" }];
    const reported = await call(run, report, session, headers);
    expect(await jsonOf(reported)).toMatchObject({ event: "SESSION_START", terminate: false });
    expect(reported.headers.get("access-control-allow-origin")).toBe("*");
    expect(reported.headers.get("x-ratelimit-limit")).toBe(String(defaultRateLimits.session.writes));
    const asked = { ...headers, "Access-Control-Request-Method": "POST" };
    const preflight = await call(run, ["OPTIONS", "event/create/"], session, asked);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    for (const id of ["0".repeat(40), "no-id"]) expect(await statusOf(call(run, report, id, {}))).toBe(404);
    const wrong = { "ServicePlatform-APIKey": "vv_unknown_key_0123456789" };
    expect(await statusOf(call(run, report, session, wrong))).toBe(404);
    // What it stores is read with a key.
    expect(await statusOf(call(run, ["GET", "event/"], session, {}))).toBe(401);
    expect(await statusOf(call(run, ["GET", "event/create/"], session, {}))).toBe(405);
  });

  test.for<[headers: Record<string, string>, status: number]>([
    [{ "XP-API-KEY": otherKey }, 403],
    [{ "XP-API-KEY": otherKey, ...relayed }, 403],
    [{ "XP-API-KEY": "vv_unknown_key_0123456789", ...relayed }, 404],
  ])(
    "another key is refused as usual, also together with the relay token: %j",
    async ([headers, status], { run }) => {
      expect(await statusOf(call(run, ["GET", ""], await run.newSession(), headers))).toBe(status);
    },
  );

  test("no page of another origin may call them", async ({ run }) => {
    const session = await run.newSession();
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    const preflight = await call(run, ["OPTIONS", "exchange/"], session, headers);
    expect(preflight.headers.has("access-control-allow-origin")).toBe(false);
    const answer = await call(run, ["GET", ""], session, { ...headers, ...keyed });
    expect([answer.status, answer.headers.has("access-control-allow-origin")]).toEqual([200, false]);
  });

  test("callers without a key do not use up the session's own requests", async () => {
    const run = await runTelling({ rateLimits: { ...defaultRateLimits, session: { reads: 2, writes: 2 } } });
    const session = await run.newSession();
    for (let attempt = 0; attempt < 5; attempt++) await call(run, ["GET", ""], session, {});
    expect(await statusOf(call(run, ["GET", ""], session, relayed))).toBe(200);
  });
});

test("the relay's heartbeats count for their session and never for the API key", async () => {
  const run = await runTelling({ rateLimits: { ...defaultRateLimits, key: { reads: 100, writes: 3 } } });
  const relay = serviceInProcess(run.service.app, apiKey, { relayToken });
  const session = await run.newSession();
  for (const headers of [{}, keyed])
    for (let beat = 0; beat < 10; beat++) {
      const answer = await relay(`/api/v1/session/${session}/event/create/`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ event: "SESSION_DURING" }),
      });
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([201, "600"]);
    }
  expect((await run.send("POST", "/api/v1/session/", {})).headers.get("x-ratelimit-remaining")).toBe("1");
});

test("a browser behind the relay cannot read the token, and a token that it sends is not passed on", async ({
  own: run,
}) => {
  const seen: string[] = [];
  const inProcess = serviceInProcess(run.service.app, apiKey, { relayToken });
  const publicUrl = "https://relay.example";
  const relay = createRelay({
    service: async (path, init) => {
      seen.push(new Headers(init?.headers).get("visavis-relay-token") ?? "none");
      return inProcess(path, init);
    },
    tokenSecret: new Uint8Array(32).fill(7),
    assets: { read: () => Promise.resolve(null) },
    publicUrl,
  });
  const own = {
    origin: publicUrl,
    "content-type": "application/json",
    "Visavis-Relay-Token": "of the browser",
  };
  const sessions = `${publicUrl}/embed/v1/sessions`;
  const body = JSON.stringify({ context_id: "ctx_demo", client_sdp: { type: "offer", sdp: "v=0" } });
  const started = await relay.request(sessions, { method: "POST", headers: own, body });
  const text = await started.text();
  expect(started.status).toBe(201);
  const { session, token } = JSON.parse(text) as { session: { session_id: string }; token: string };
  const headers = { ...own, authorization: `Bearer ${token}` };
  const retrieved = await relay.request(`${sessions}/${session.session_id}`, { headers });
  expect(retrieved.status).toBe(200);
  const told = [text, await retrieved.text(), ...[...retrieved.headers].flat(), JSON.stringify(run.lines)];
  expect(told.join()).not.toContain(relayToken);
  expect(new Set(seen)).toEqual(new Set(["none"]));
});
