import { expect } from "vitest";
import { serviceInProcess, type ServiceCall } from "../../src/relay/index.ts";
import { apiKey } from "../service/service-fixture.ts";
import { publicUrl, runRelay, shop, type RunningRelay, relayTest as test, failure } from "./relay-fixture.ts";

/** A relay that counts its reads from the service. A test can make its calls fail. */
async function runCounted() {
  const calls: string[] = [];
  let failure: ServiceCall | null = null;
  const relay: RunningRelay = await runRelay({
    service: (path, init) => {
      // The pages that load a context are reported besides; nobody waits for that.
      if (!path.endsWith("/pages/")) calls.push(path);
      return (failure ?? serviceInProcess(relay.running.service.app, apiKey))(path, init);
    },
    limits: { readsPerMinutePerAddress: 10_000 },
  });
  return { relay, calls, fail: (call: ServiceCall | null) => void (failure = call) };
}

const from = (address: string) => ({ "x-test-address": address });
const demo = "/embed/v1/contexts/ctx_demo";

/** More names than the relay lets all addresses together guess in a minute. */
const guesses = Array.from({ length: 700 }, (_, index) => index);

test("700 requests for unknown contexts cause only a few reads with the API key", async () => {
  const { relay, calls } = await runCounted();
  expect((await relay.get(demo, from("192.0.2.1"))).status).toBe(200);
  calls.length = 0;
  const views = ["", "/launcher", "/background", "/parent?origin=https://a.example"];
  const answers = await Promise.all(
    guesses.map((index) =>
      relay.get(`/embed/v1/contexts/ctx_guess_${index}${views[index % 4]}`, from("203.0.113.9")),
    ),
  );
  expect(calls.length).toBeLessThanOrEqual(20);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect((await relay.get(demo, from("203.0.113.9"))).status).toBe(200);
  expect((await relay.get("/viewer/ctx_guess_x", from("203.0.113.9"))).status).toBe(429);
  expect(
    await failure(await relay.post("/embed/v1/sessions", { context_id: "ctx_x" }, from("203.0.113.9"))),
  ).toBe("429 rate_limited");
});

test("requests for unknown contexts from many addresses use at most a tenth of the key's reads", async () => {
  const { relay, calls } = await runCounted();
  expect((await relay.get(demo, from("198.51.100.1"))).status).toBe(200);
  relay.pass(3_600);
  calls.length = 0;
  await Promise.all(
    guesses.map((index) =>
      relay.get(`/embed/v1/contexts/ctx_guess_${index}`, from(`10.0.${index >> 8}.${index & 255}`)),
    ),
  );
  expect(calls.length).toBeLessThanOrEqual(600);
  expect((await relay.get(demo, from("198.51.100.1"))).status).toBe(200);
});

test("an unknown name is read once in ten seconds, and found after it was created", async () => {
  const { relay, calls } = await runCounted();
  calls.length = 0;
  for (let count = 0; count < 50; count += 1)
    expect((await relay.get("/embed/v1/contexts/ctx_soon")).status).toBe(404);
  expect(calls).toHaveLength(1);
  await relay.running.store.contexts.insert({
    ...relay.running.demo,
    id: "00000000-0000-4000-8000-000000000001",
    contextId: "ctx_soon",
    embed_config: { allowed_origins: [shop] },
  });
  relay.pass(11);
  expect((await relay.get("/embed/v1/contexts/ctx_soon")).status).toBe(200);
});

test("many visitors can request a known context at the same time", async () => {
  const { relay, calls } = await runCounted();
  relay.pass(60);
  calls.length = 0;
  const answers = await Promise.all(Array.from({ length: 100 }, () => relay.get(demo, from("192.0.2.1"))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(calls.filter((path) => path.includes("/contexts/"))).toHaveLength(1);
});

test.each<[string, ServiceCall]>([
  ["answers 429", () => Promise.resolve(Response.json({}, { status: 429 }))],
  ["answers 500", () => Promise.resolve(new Response("<h1>Oops</h1>", { status: 500 }))],
  ["is away", () => Promise.reject(new Error("ECONNREFUSED"))],
])("a known context is served for ten minutes while the service %s", async (_, failure) => {
  const { relay, calls, fail } = await runCounted();
  const views = ["", "/launcher", "/parent?origin=https://shop.example"];
  const before = [];
  for (const view of views) before.push(await (await relay.get(demo + view)).text());
  calls.length = 0;
  fail(failure);
  for (let minute = 0; minute < 9; minute += 1) {
    relay.pass(60);
    for (const [index, view] of views.entries()) {
      const answer = await relay.get(demo + view);
      expect([answer.status, await answer.text()]).toEqual([200, before[index]]);
    }
    expect((await relay.get("/viewer/ctx_demo")).status).toBe(200);
  }
  // Each resource once per round, not once per request.
  expect(calls.length).toBeLessThanOrEqual(9 * 3);
  relay.pass(61);
  expect((await relay.get(demo)).status).toBe(503);
  fail(null);
  relay.pass(6);
  expect((await relay.get(demo)).status).toBe(200);
});

test("a context that the service refuses to return is no longer served", async () => {
  const { relay, fail } = await runCounted();
  expect((await relay.get(demo)).status).toBe(200);
  fail(() => Promise.resolve(Response.json({}, { status: 401 })));
  relay.pass(6);
  expect((await relay.get(demo)).status).toBe(502);
});

const keyUnknown = { code: "A0009", message: "API key not found.", status: "NOT_FOUND" };
const keyExpired = { code: "A0011", message: "API key has expired.", status: "UNAUTHORIZED" };

test.each([
  ["an unknown key", Response.json(keyUnknown, { status: 404 }), "404 A0009. Check SERVICE_API_KEY"],
  ["an expired key", Response.json(keyExpired, { status: 401 }), "401 A0011. Check SERVICE_API_KEY"],
  ["a website's address", new Response("<h1>None</h1>", { status: 404 }), "404. Check SERVICE_BASE_URL."],
])("with %s no context is said to be missing, and the log says what to check", async (_, answer, line) => {
  const { relay, fail } = await runCounted();
  fail(() => Promise.resolve(answer.clone()));
  expect(await failure(await relay.get("/embed/v1/contexts/ctx_other"))).toBe("502 engine_failed");
  expect(relay.warnings.join()).toContain(`The list of contexts answered ${line}`);
});

test("a service that has no such context has none", async () => {
  const { relay, fail } = await runCounted();
  fail(() => Promise.resolve(Response.json({}, { status: 404 })));
  expect((await relay.get("/embed/v1/contexts/ctx_other")).status).toBe(404);
});

test("reads are limited by address, and the page can read when the limit resets", async () => {
  const relay = await runRelay({ limits: { readsPerMinutePerAddress: 3 } });
  const paths = [demo, `${demo}/launcher`, "/viewer/ctx_demo"];
  for (const path of paths) expect((await relay.get(path, from("192.0.2.1"))).status).toBe(200);
  for (const path of [...paths, `${demo}/background`, `${demo}/parent`]) {
    const refused = await relay.get(path, from("192.0.2.1"));
    expect(await failure(refused)).toBe("429 rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    if (path.startsWith("/embed")) expect(refused.headers.get("access-control-allow-origin")).toBe(shop);
  }
  expect((await relay.get(demo, from("192.0.2.2"))).status).toBe(200);
  relay.pass(60);
  expect((await relay.get(demo, from("192.0.2.1"))).status).toBe(200);
});

test("proxy headers do not change the addresses in the relay's answers", async ({ relay }) => {
  const forged = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    forwarded: "host=evil.example",
  };
  const text = await (await relay.get(demo, forged)).text();
  expect(text).toContain(publicUrl);
  expect(text).not.toContain("evil.example");
});

test("1,000 requests of a page that is refused cause no read for each", async () => {
  const { relay, calls } = await runCounted();
  await relay.get(demo);
  calls.length = 0;
  relay.pass(0.5);
  await Promise.all(
    Array.from({ length: 1_000 }, () => relay.get(demo, { origin: "https://other.example" })),
  );
  expect(calls).toHaveLength(1);
});
