import { expect, test } from "vitest";
import { authErrorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { MemoryCounter } from "../../../src/relay/limits/memory-counter.ts";
import { defaultRateLimits, type RateLimits } from "../../../src/service/service-settings.ts";
import { statusOf } from "../answers.ts";
import { apiKey, runService, settingsWith } from "../service-fixture.ts";

const limits: RateLimits = {
  key: { reads: 3, writes: 2 },
  session: { reads: 4, writes: 2 },
  address: { reads: 2, writes: 1 },
  loginsPerMinute: 10,
};

const list = "/api/v1/settings/tts_type/";
const keyed = { "XP-API-KEY": apiKey };

const runLimited = (overrides: Parameters<typeof runService>[0] = {}) =>
  runService({ settings: settingsWith({ rateLimits: limits }), ...overrides });

const windowOf = ({ headers }: Response) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

test("the limits of the interface are the defaults", () => {
  expect(defaultRateLimits.key).toEqual({ reads: 6_000, writes: 1_800 });
});

test("a key's reads are counted in fixed windows of a minute, and refused above the limit until the window resets", async () => {
  const run = await runLimited();
  const reset = Date.UTC(2026, 0, 1) / 1000 + 60;
  expect(windowOf(await run.get(list))).toEqual([3, 2, reset]);
  run.pass(20);
  expect(windowOf(await run.get(list))).toEqual([3, 1, reset]);
  expect(await statusOf(run.get(list))).toBe(200);
  const refused = await run.get(list);
  expect([refused.status, ...windowOf(refused)]).toEqual([429, 3, 0, reset]);
  expect(refused.headers.get("retry-after")).toBe("40");
  const told = authErrorBodySchema.parse(await refused.json());
  expect(told).toMatchObject({ code: "G0005", status: "TOO_MANY_REQUESTS" });
  run.pass(40);
  expect(await statusOf(run.get(list))).toBe(200);
});

test("errors count too", async () => {
  const run = await runLimited();
  for (const expected of [400, 400, 429])
    expect(await statusOf(run.send("POST", "/api/v1/session/", {}))).toBe(expected);
});

test.each([
  ["GET", 3],
  ["HEAD", 3],
  ["POST", 2],
  ["PUT", 2],
  ["PATCH", 2],
  ["DELETE", 2],
])("%s counts as one of %i, apart from the other kind", async (method, limit) => {
  const run = await runLimited();
  const call = async (by: string) =>
    windowOf(
      await run.request(`/api/console/b2c/contexts/${run.demo.id}/`, { method: by, headers: keyed }),
    ).slice(0, 2);
  expect(await call(method)).toEqual([limit, limit - 1]);
  expect(await call(limit === 3 ? "PATCH" : "HEAD")).toEqual(limit === 3 ? [2, 1] : [3, 2]);
  expect(await call(method)).toEqual([limit, limit - 2]);
});

test("calls of a session without a key count against that session's own limit", async () => {
  const run = await runLimited();
  const [first, second] = [await run.newSession(), await run.newSession()];
  const beat = (session: string) =>
    run.request(`/api/v1/session/${session}/event/create/`, {
      method: "POST",
      body: new URLSearchParams({ event: "SESSION_DURING" }),
      headers: { Origin: "https://shop.example" },
    });
  expect(await statusOf(beat(first))).toBe(201);
  expect(windowOf(await beat(first)).slice(0, 2)).toEqual([2, 0]);
  const { status, headers } = await beat(first);
  expect(status).toBe(429);
  // A page of another origin must be able to read when the limit resets.
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toContain("X-RateLimit-Reset");
  expect(await statusOf(beat(second))).toBe(201);
});

test("callers without a key, with a wrong one or with an unknown session are counted by address", async () => {
  let address = "192.0.2.1";
  const run = await runLimited({ clientAddress: () => address });
  const status = (path: string, key?: string) =>
    statusOf(run.request(path, { headers: key === undefined ? {} : { "XP-API-KEY": key } }));
  expect(await status(list)).toBe(401);
  expect(await status(list, "vv_wrong_key_000000")).toBe(404);
  expect(await status(`/api/v1/session/${"0".repeat(40)}/`)).toBe(429);
  expect(await status("/nothing/")).toBe(429);
  expect(await status("/metrics", "vv_wrong_key_000000")).toBe(429);
  expect(await status(list, apiKey)).toBe(200);
  address = "192.0.2.2";
  expect(await status(list)).toBe(401);
});

test("health checks and preflights are answered at any rate", async () => {
  const run = await runLimited();
  for (let index = 0; index < 5; index += 1) {
    expect(await statusOf(run.request("/healthz"))).toBe(200);
    const path = `/api/v1/session/${"0".repeat(40)}/exchange/`;
    expect(await statusOf(run.request(path, { method: "OPTIONS" }))).toBe(204);
  }
});

test("requests are answered even if the counter fails", async () => {
  const counter = new MemoryCounter();
  counter.add = () => Promise.reject(new Error("no counter"));
  const run = await runLimited({ counter });
  for (let index = 0; index < 5; index += 1) expect(await statusOf(run.get(list))).toBe(200);
  expect(run.lines).toContainEqual(expect.objectContaining({ message: "requests cannot be counted" }));
});
