import { describe, expect, test } from "vitest";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

const plain = { capability: ["TTS"], tts_type: "visavis-slt" };

/** What may end a session, and with what it ends when it comes first. */
const ends: Record<string, [string, (run: RunningService, session: string) => Promise<unknown>]> = {
  close: ["GRACEFUL_TERMINATION", (run, session) => run.event(session, "SESSION_END")],
  terminate: ["GRACEFUL_TERMINATION", (run, session) => run.service.endSession(run.organizationId, session)],
  failed: ["SESSION_MISC_ERROR", (run, session) => run.event(session, "SESSION_ERROR")],
  unmount: [
    "GRACEFUL_TERMINATION",
    async (run, session) => {
      run.hooks.onClosed(session, "peer-closed");
      await run.event(session, "SESSION_END");
    },
  ],
};

function orders(names: readonly string[]): string[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((name) =>
    orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
  );
}

async function startedSession(run: RunningService): Promise<string> {
  const session = await run.newSession(plain);
  await run.event(session, "SESSION_START");
  run.pass(5);
  await run.event(session, "SESSION_DURING");
  return session;
}

/** One end: one line in the log, one closed peer, one session less. */
async function expectOneEnd(run: RunningService, session: string, reason: string) {
  expect(await run.status(session)).toMatchObject({ termination_reason: reason, duration_sec: 5 });
  expect(run.lines.filter(({ to }) => to === "TERMINATED")).toHaveLength(1);
  expect(run.media.closed).toEqual([session]);
  expect(await run.store.organizations.usage(run.organizationId, "2026-01")).toEqual({
    activeSessions: 0,
    minutes: 1,
  });
}

describe("a session ends once", () => {
  test.each(orders(Object.keys(ends)))("%s, %s, %s, %s: the first decides", async (...order) => {
    const run = await runService();
    const session = await startedSession(run);
    for (const name of order) {
      await ends[name]![1](run, session);
      run.pass(1);
    }
    await expectOneEnd(run, session, ends[order[0]!]![0]);
  });

  test.each(orders(Object.keys(ends)))("%s, %s, %s, %s at once: one decides", async (...order) => {
    const run = await runService();
    const session = await startedSession(run);
    await Promise.all(order.map((name) => ends[name]![1](run, session)));
    const { termination_reason: reason } = await run.status(session);
    expect(["GRACEFUL_TERMINATION", "SESSION_MISC_ERROR"]).toContain(reason);
    await expectOneEnd(run, session, reason!);
  });
});

test("the operator ends only sessions of their own organization", async () => {
  const run = await runService();
  const session = await startedSession(run);
  await expect(run.service.endSession("another", session)).rejects.toMatchObject({ status: 404 });
  await expect(run.service.endSession(run.organizationId, "0".repeat(40))).rejects.toMatchObject({
    status: 404,
  });
  expect((await run.status(session)).status).toBe("IN_PROGRESS");
});

describe("a service that stops", () => {
  test("lets no session begin, says so to load balancers, and ends the live ones", async () => {
    const run = await runService();
    const session = await startedSession(run);
    run.pass(1);
    const drained = run.service.drain();
    const refused = await run.send("POST", "/api/v1/session/", plain);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({ type: "server_error", errors: [{ code: "error" }] });
    expect((await run.get("/readyz")).status).toBe(503);
    expect((await run.get("/healthz")).status).toBe(200);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({
      terminate: true,
      terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
    });
    await drained;
    expect(run.media.closed).toEqual([session]);
  });

  test("waits until every client was told, whatever it asked", async () => {
    const run = await runService();
    const sessions = [await startedSession(run), await startedSession(run), await startedSession(run)];
    let isDrained = false;
    const drained = run.service.drain().then(() => (isDrained = true));
    await expect.poll(() => run.media.closed.length).toBe(3);
    await run.event(sessions[0]!, "SESSION_LOG");
    const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
    expect((await run.send("POST", `/api/v1/session/${sessions[1]}/exchange/`, offer)).status).toBe(400);
    expect(isDrained).toBe(false);
    await run.event(sessions[2]!, "SESSION_DURING");
    await drained;
  });

  test("with no live session it waits for nobody", async () => {
    const run = await runService();
    await run.event(await startedSession(run), "SESSION_END");
    await run.service.drain();
    await run.service.drain();
  });

  test("ends nobody where other processes go on, and makes no peer that could not live", async () => {
    const settings = {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      sharesSessions: true,
    };
    const run = await runService({ settings });
    const session = await startedSession(run);
    await run.service.drain();
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({ terminate: false });
    const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
    const exchange = await run.send("POST", `/api/v1/session/${session}/exchange/`, offer);
    expect([exchange.status, exchange.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(run.media.exchanges).toEqual([]);
  });
});
