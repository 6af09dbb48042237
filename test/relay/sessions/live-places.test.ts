import { describe, expect } from "vitest";
import { type ServiceCall, serviceInProcess } from "../../../src/relay/index.ts";
import type { RelaySessionResponse } from "../../../src/protocol/session/relay-session.ts";
import { apiKey } from "../../service/service-fixture.ts";
import { failure, offer, openSession, relayTest as test, runRelay } from "../relay-fixture.ts";
import type { OpenSession, RunningRelay } from "../relay-fixture.ts";

const record = /^\/api\/v1\/session\/[0-9a-f]{40}\/$/;

/** A relay that records its calls of the service. A test can replace the answers. */
async function runNoted(limits: Record<string, number>) {
  const calls: string[] = [];
  let otherwise: ServiceCall | null = null;
  let real: ServiceCall = () => Promise.reject(new Error("not yet"));
  const relay = await runRelay({
    limits,
    service: (path, init) => {
      calls.push(path);
      return otherwise && !path.startsWith("/api/console/") ? otherwise(path, init) : real(path, init);
    },
    contexts: {
      get: async () =>
        (await (
          await relay.running.get(`/api/console/b2c/contexts/${relay.running.demo.id}/`)
        ).json()) as never,
    },
  });
  real = serviceInProcess(relay.running.service.app, apiKey);
  return {
    relay,
    recordsRead: () => calls.filter((path) => record.test(path)).length,
    answer: (call: ServiceCall | null) => void (otherwise = call),
  };
}

type Noted = Awaited<ReturnType<typeof runNoted>>;

const start = (relay: RunningRelay, visitor: string, address?: string): Promise<Response> =>
  relay.start(visitor, address, { mode: "avatar", client_sdp: offer });

async function opened(relay: RunningRelay, visitor: string): Promise<OpenSession> {
  const answer = await start(relay, visitor);
  expect(answer.status).toBe(201);
  return openSession(relay, (await answer.json()) as RelaySessionResponse);
}

/** Keeps sessions alive without the relay for `sec` seconds, as the data channel's pings do. */
async function liveOn({ relay }: Noted, sessions: OpenSession[], sec: number): Promise<void> {
  for (let passed = 0; passed < sec; passed += 10) {
    for (const { id } of sessions)
      await relay.running.event(id, passed === 0 ? "SESSION_START" : "SESSION_DURING");
    relay.pass(10);
    await relay.running.service.sweep();
  }
}

describe("a place in the limits of live sessions", () => {
  test("is held while the service has the session, even if the relay gets no heartbeat", async () => {
    const noted = await runNoted({ livePerAddress: 2 });
    const { relay } = noted;
    const sessions = [await opened(relay, "visitor-1"), await opened(relay, "visitor-2")];
    await liveOn(noted, sessions, 180);
    for (const visitor of ["visitor-3", "visitor-4", "visitor-5"])
      expect(await failure(await start(relay, visitor))).toBe("403 quota_exceeded");
  });

  test("is free when the service has ended the session, even if the relay got no end", async () => {
    const noted = await runNoted({ livePerContext: 2 });
    const { relay } = noted;
    const sessions = [await opened(relay, "visitor-1"), await opened(relay, "visitor-2")];
    await liveOn(noted, sessions, 30);
    expect((await start(relay, "visitor-3")).status).toBe(403);
    await relay.running.event(sessions[0]!.id, "SESSION_END");
    relay.pass(16);
    expect((await start(relay, "visitor-3")).status).toBe(201);
    expect((await start(relay, "visitor-4")).status).toBe(403);
  });

  test("is free at once when the relay learns of the end, from any side", async () => {
    const { relay } = await runNoted({ livePerVisitor: 1, livePerAddress: 1 });
    const session = await opened(relay, "visitor-1");
    const elsewhere = { "x-test-address": "198.51.100.9" };
    expect((await session.event("SESSION_END", elsewhere)).status).toBe(201);
    await opened(relay, "visitor-1");
  });

  test("is free at once when the service no longer knows the session", async () => {
    const noted = await runNoted({ livePerVisitor: 1 });
    const { relay } = noted;
    const session = await opened(relay, "visitor-1");
    noted.answer(() => Promise.resolve(Response.json({}, { status: 404 })));
    expect(await failure(await session.event("SESSION_DURING"))).toMatch(/session_lost/);
    noted.answer(null);
    await opened(relay, "visitor-1");
  });

  test("is held while the service cannot be asked", async () => {
    const noted = await runNoted({ livePerVisitor: 1 });
    const { relay } = noted;
    await opened(relay, "visitor-1");
    relay.pass(20);
    noted.answer(() => Promise.resolve(new Response(null, { status: 503 })));
    expect((await start(relay, "visitor-1")).status).toBe(403);
  });

  test("is held by a session whose end could not be reported", async () => {
    const noted = await runNoted({ livePerVisitor: 1 });
    const { relay } = noted;
    const real = serviceInProcess(relay.running.service.app, apiKey);
    noted.answer((path, init) =>
      /\/(?:exchange|event\/create)\/$/.test(path)
        ? Promise.resolve(new Response(null, { status: 500 }))
        : real(path, init),
    );
    expect((await start(relay, "visitor-1")).status).toBe(503);
    expect((await start(relay, "visitor-1")).status).toBe(403);
    noted.answer(null);
    relay.pass(61);
    await relay.running.service.sweep();
    await opened(relay, "visitor-1");
  });

  test("causes few calls of the service, for any number of attempts to start", async () => {
    const noted = await runNoted({
      livePerAddress: 30,
      livePerContext: 30,
      startsPerMinutePerAddress: 1e6,
      startsPerMinutePerContext: 1e6,
    });
    const { relay } = noted;
    const sessions = [];
    for (let index = 0; index < 30; index += 1) sessions.push(await opened(relay, `visitor-${index}`));
    await liveOn(noted, sessions, 20);
    const late = Array.from({ length: 200 }, (_, index) => start(relay, `late-comer-${index}`));
    expect(new Set((await Promise.all(late)).map(({ status }) => status))).toEqual(new Set([403]));
    expect(noted.recordsRead()).toBeLessThanOrEqual(10);
  });
});

describe("a visitor's share of a day", () => {
  const limitDay = (relay: RunningRelay) =>
    relay.changeContext((context) => {
      context.embed_config.limits = { sessions_per_visitor: 1 };
    });

  test("counts by address too, so that new visitor names cannot avoid it", async () => {
    const relay = await runRelay({ limits: { visitorsPerAddress: 3 } });
    await limitDay(relay);
    for (const visitor of ["visitor-1", "visitor-2", "visitor-3"])
      expect((await start(relay, visitor)).status).toBe(201);
    expect((await start(relay, "visitor-4")).status).toBe(403);
    expect((await start(relay, "visitor-4", "192.0.2.99")).status).toBe(201);
  });

  test("does not count a session that could not be opened", async ({ relay }) => {
    await limitDay(relay);
    const { store, organizationId } = relay.running;
    await store.organizations.setQuotas(organizationId, { activeSessions: 0 });
    expect((await start(relay, "visitor-1")).status).toBe(403);
    await store.organizations.setQuotas(organizationId, { activeSessions: null });
    expect((await start(relay, "visitor-1")).status).toBe(201);
  });
});

describe("addresses of one /64", () => {
  test("are counted as one", async () => {
    const relay = await runRelay({ limits: { startsPerMinutePerAddress: 1 } });
    expect((await start(relay, "visitor-1", "2001:db8:1:2::1")).status).toBe(201);
    expect((await start(relay, "visitor-2", "2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await start(relay, "visitor-3", "2001:db8:1:3::1")).status).toBe(201);
  });
});
