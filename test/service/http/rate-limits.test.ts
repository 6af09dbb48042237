import { expect, test } from "vitest";
import { authErrorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import type { Counter } from "../../../src/protocol/counter.ts";
import { MemoryCounter } from "../../../src/relay/limits/memory-counter.ts";
import {
  defaultRateLimits,
  defaultServiceSettings,
  type RateLimits,
} from "../../../src/service/service-settings.ts";
import { apiKey, runService } from "../service-fixture.ts";

const limits: RateLimits = {
  key: { reads: 3, writes: 2 },
  session: { reads: 4, writes: 2 },
  address: { reads: 2, writes: 1 },
  loginsPerMinute: 10,
};

const list = "/api/v1/settings/tts_type/";

function runLimited(clientAddress?: () => string, counter?: Counter) {
  return runService({
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      rateLimits: limits,
    },
    ...(clientAddress && { clientAddress }),
    ...(counter && { counter }),
  });
}

function windowOf(response: Response) {
  return ["limit", "remaining", "reset"].map((name) => Number(response.headers.get(`x-ratelimit-${name}`)));
}

test("the limits of the interface are the defaults", () => {
  expect(defaultRateLimits.key).toEqual({ reads: 6_000, writes: 1_800 });
});

test("a key's reads are counted in fixed windows of a minute, and refused above the limit until the window resets", async () => {
  const run = await runLimited();
  const reset = Date.UTC(2026, 0, 1) / 1000 + 60;
  expect(windowOf(await run.get(list))).toEqual([3, 2, reset]);
  run.pass(20);
  expect(windowOf(await run.get(list))).toEqual([3, 1, reset]);
  expect((await run.get(list)).status).toBe(200);
  const refused = await run.get(list);
  expect(refused.status).toBe(429);
  expect(windowOf(refused)).toEqual([3, 0, reset]);
  expect(refused.headers.get("retry-after")).toBe("40");
  expect(authErrorBodySchema.parse(await refused.json())).toMatchObject({
    code: "G0005",
    status: "TOO_MANY_REQUESTS",
  });
  run.pass(40);
  expect((await run.get(list)).status).toBe(200);
});

test("writes are counted separately from reads, and errors count too", async () => {
  const run = await runLimited();
  for (const expected of [400, 400, 429])
    expect((await run.send("POST", "/api/v1/session/", {})).status).toBe(expected);
  expect((await run.get(list)).status).toBe(200);
});

test.each([
  ["GET", 3],
  ["HEAD", 3],
  ["POST", 2],
  ["PUT", 2],
  ["PATCH", 2],
  ["DELETE", 2],
])("%s counts as one of %i", async (method, limit) => {
  const run = await runLimited();
  const headers = { "ServicePlatform-APIKey": apiKey };
  const path = `/api/console/b2c/contexts/${run.demo.id}/`;
  const other = limit === 3 ? "PATCH" : "HEAD";
  expect(windowOf(await run.request(path, { method, headers })).slice(0, 2)).toEqual([limit, limit - 1]);
  expect(windowOf(await run.request(path, { method: other, headers }))[1]).toBe(limit === 3 ? 1 : 2);
  expect(windowOf(await run.request(path, { method, headers }))[1]).toBe(limit - 2);
});

test("calls of a session without a key count against that session's own limit", async () => {
  const run = await runLimited();
  const first = await run.newSession();
  const second = await run.newSession();
  const beat = (session: string) =>
    run.request(`/api/v1/session/${session}/event/create/`, {
      method: "POST",
      body: new URLSearchParams({ event: "SESSION_DURING" }),
      headers: { Origin: "https://shop.example" },
    });
  expect((await beat(first)).status).toBe(201);
  expect(windowOf(await beat(first)).slice(0, 2)).toEqual([2, 0]);
  const refused = await beat(first);
  expect(refused.status).toBe(429);
  // A page of another origin must be able to read when the limit resets.
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Reset");
  expect((await beat(second)).status).toBe(201);
});

test("callers without a key, with a wrong one or with an unknown session are counted by address", async () => {
  let address = "192.0.2.1";
  const run = await runLimited(() => address);
  expect((await run.request(list)).status).toBe(401);
  expect((await run.request(list, { headers: { "XP-API-KEY": "vv_wrong_key_000000" } })).status).toBe(404);
  expect((await run.request(`/api/v1/session/${"0".repeat(40)}/`)).status).toBe(429);
  expect((await run.request("/nothing/")).status).toBe(429);
  expect((await run.request(list, { headers: { "XP-API-KEY": apiKey } })).status).toBe(200);
  address = "192.0.2.2";
  expect((await run.request(list)).status).toBe(401);
});

test("health checks and preflights are answered at any rate", async () => {
  const run = await runLimited();
  for (let index = 0; index < 5; index += 1) {
    expect((await run.request("/healthz")).status).toBe(200);
    const preflight = await run.request(`/api/v1/session/${"0".repeat(40)}/exchange/`, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
  }
});

test("requests are answered even if the counter fails", async () => {
  const counter = new MemoryCounter();
  counter.add = () => Promise.reject(new Error("no counter"));
  const run = await runLimited(undefined, counter);
  for (let index = 0; index < 5; index += 1) expect((await run.get(list)).status).toBe(200);
  expect(run.lines).toContainEqual(expect.objectContaining({ message: "requests cannot be counted" }));
});
