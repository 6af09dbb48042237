import { describe, expect, test } from "vitest";
import { type ServiceCall, serviceInProcess } from "../../../src/relay/index.ts";
import type { RelaySessionResponse } from "../../../src/protocol/session/relay-session.ts";
import { apiKey } from "../../service/service-fixture.ts";
import { errorCode, offer, type RunningRelay, runRelay } from "../relay-fixture.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

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

const start = (relay: RunningRelay, visitor: string, address = "192.0.2.1") =>
  relay.post(
    "/embed/v1/sessions",
    { context_id: "ctx_demo", client_sdp: offer, visitor_id: visitor },
    { "x-test-address": address },
  );

async function opened(relay: RunningRelay, visitor: string, address?: string) {
  const answer = await start(relay, visitor, address);
  expect(answer.status).toBe(201);
  return (await answer.json()) as RelaySessionResponse;
}

const report = (
  relay: RunningRelay,
  { session, token }: RelaySessionResponse,
  event: string,
  address = "192.0.2.1",
) =>
  relay.post(
    `/embed/v1/sessions/${session.session_id}/event`,
    { event },
    { ...bearer(token), "x-test-address": address },
  );

/** Keeps sessions alive without the relay for `sec` seconds, as the data channel's pings do. */
async function liveOn({ relay }: Noted, sessions: RelaySessionResponse[], sec: number): Promise<void> {
  for (let passed = 0; passed < sec; passed += 10) {
    for (const { session } of sessions)
      await relay.running.event(session.session_id, passed === 0 ? "SESSION_START" : "SESSION_DURING");
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
    for (const visitor of ["visitor-3", "visitor-4", "visitor-5"]) {
      const refused = await start(relay, visitor);
      expect([refused.status, await errorCode(refused)]).toEqual([403, "quota_exceeded"]);
    }
  });

  test("is free when the service has ended the session, even if the relay got no end", async () => {
    const noted = await runNoted({ livePerContext: 2 });
    const { relay } = noted;
    const sessions = [await opened(relay, "visitor-1"), await opened(relay, "visitor-2")];
    await liveOn(noted, sessions, 30);
    expect((await start(relay, "visitor-3")).status).toBe(403);
    await relay.running.event(sessions[0]!.session.session_id, "SESSION_END");
    relay.pass(16);
    expect((await start(relay, "visitor-3")).status).toBe(201);
    expect((await start(relay, "visitor-4")).status).toBe(403);
  });

  test("is free at once when the relay learns of the end, from any side", async () => {
    const { relay } = await runNoted({ livePerVisitor: 1, livePerAddress: 1 });
    const session = await opened(relay, "visitor-1");
    expect((await report(relay, session, "SESSION_END", "198.51.100.9")).status).toBe(201);
    await opened(relay, "visitor-1");
  });

  test("is free at once when the service no longer knows the session", async () => {
    const noted = await runNoted({ livePerVisitor: 1 });
    const { relay } = noted;
    const session = await opened(relay, "visitor-1");
    noted.answer(() => Promise.resolve(Response.json({}, { status: 404 })));
    expect(await errorCode(await report(relay, session, "SESSION_DURING"))).toBe("session_lost");
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
    const tries = await Promise.all(
      Array.from({ length: 200 }, (_, index) => start(relay, `late-comer-${index}`)),
    );
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([403]));
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

  test("does not count a session that could not be opened", async () => {
    const relay = await runRelay();
    await limitDay(relay);
    const body = { context_id: "ctx_demo", client_sdp: offer, visitor_id: "visitor-1" };
    const create = "/api/v1/session/";
    await relay.running.store.organizations.setQuotas(relay.running.organizationId, { activeSessions: 0 });
    expect((await relay.post("/embed/v1/sessions", body)).status, create).toBe(403);
    await relay.running.store.organizations.setQuotas(relay.running.organizationId, { activeSessions: null });
    expect((await relay.post("/embed/v1/sessions", body)).status).toBe(201);
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
