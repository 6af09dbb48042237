import { describe, expect, onTestFinished, test, vi } from "vitest";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { runService, temporaryFolder } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

const plain = { capability: ["TTS"], tts_type: "visavis-slt" };

/** What can end a session, and its reason if it is the first. */
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

/**
 * Ends one session of the service after the other in each order. Expects one end of each: one log line, one closed peer, one
 * session less.
 */
async function expectOneEnd(end: (run: RunningService, session: string, order: string[]) => Promise<string>) {
  const run = await runService();
  for (const [before, order] of orders(Object.keys(ends)).entries()) {
    run.lines.length = 0;
    run.media.closed.length = 0;
    const session = await startedSession(run);
    const reason = await end(run, session, order);
    const what = order.join(", ");
    expect(await run.status(session), what).toMatchObject({ termination_reason: reason, duration_sec: 5 });
    expect(run.lines.filter(({ to }) => to === "TERMINATED")).toHaveLength(1);
    expect(run.media.closed, what).toEqual([session]);
    const usage = { activeSessions: 0, minutes: before + 1 };
    expect(await run.store.organizations.usage(run.organizationId, "2026-01"), what).toEqual(usage);
  }
}

describe("a session ends once", () => {
  test("whatever follows: the first one decides the reason", () =>
    expectOneEnd(async (run, session, order) => {
      for (const name of order) {
        await ends[name]![1](run, session);
        run.pass(1);
      }
      return ends[order[0]!]![0];
    }));

  test("whatever comes at once: one of them decides the reason", () =>
    expectOneEnd(async (run, session, order) => {
      await Promise.all(order.map((name) => ends[name]![1](run, session)));
      const { termination_reason: reason } = await run.status(session);
      expect(["GRACEFUL_TERMINATION", "SESSION_MISC_ERROR"]).toContain(reason);
      return reason!;
    }));
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

const settings = {
  ...defaultServiceSettings,
  publicUrl: "https://relay.example",
  publicFolder: "/srv/public",
};

/** A connected session of an embed context, five seconds old. */
async function visitorSession(run: RunningService): Promise<string> {
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  expect((await exchange(run, session)).status).toBe(200);
  await run.event(session, "SESSION_START");
  run.pass(5);
  await run.event(session, "SESSION_DURING");
  return session;
}

const piece = (content: string) =>
  ({ status: "success", type: "message", role: "assistant", content }) as const;

const offer = { client_sdp: { type: "offer", sdp: "v=0" } };

/** Connects a session's peer. */
async function exchange(run: RunningService, session: string): Promise<Response> {
  return run.send("POST", `/api/v1/session/${session}/exchange/`, offer);
}

/** Gives clients ten minutes in place of the 6 s that they have to learn of their session's end. */
function extendNotice(): void {
  const start = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => start(run, ms === 6_000 ? 600_000 : ms));
  onTestFinished(() => void vi.unstubAllGlobals());
}

describe("a service that stops", () => {
  test("refuses new sessions, and is not ready for load balancers", async () => {
    const run = await runService();
    await visitorSession(run);
    const drained = run.service.drain();
    const refused = await run.send("POST", "/api/v1/session/", plain);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({ type: "server_error", errors: [{ code: "error" }] });
    expect((await run.get("/readyz")).status).toBe(503);
    expect((await run.get("/healthz")).status).toBe(200);
    await drained;
  });

  test("keeps the sessions of embed contexts for its restart, tells their clients, and creates no new peer", async () => {
    const folder = temporaryFolder();
    const run = await runService({ folder });
    const session = await visitorSession(run);
    const drained = run.service.drain();
    await expect.poll(() => run.media.restartsAnnounced).toBe(1);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({ terminate: false });
    const refused = await exchange(run, session);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    await drained;
    await run.service.stop();
    expect(run.media.closed).toEqual([]);

    const again = await runService({ folder, startMs: Date.UTC(2026, 0, 1, 0, 0, 25) });
    again.service.start();
    await again.service.sweep();
    expect(await again.status(session)).toMatchObject({ status: "IN_PROGRESS", duration_sec: 5 });
    expect((await exchange(again, session)).status).toBe(200);
    expect((await again.status(session)).duration_sec).toBe(25);
    await again.service.stop();
  });

  test("counts no time for a session whose client does not come back after the restart", async () => {
    const folder = temporaryFolder();
    const run = await runService({ folder });
    const session = await visitorSession(run);
    await run.service.drain();
    const again = await runService({ folder, startMs: Date.UTC(2026, 0, 1, 0, 10) });
    again.service.start();
    again.pass(defaultServiceSettings.lostAfterSec);
    await again.service.sweep();
    expect(await again.status(session)).toMatchObject({
      termination_reason: "SESSION_LOST_AFTER_CONNECTION",
      duration_sec: 5,
    });
    await again.service.stop();
  });

  test("lets an answer in progress end before it says that it restarts", async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = {
      async *answer() {
        yield piece("It costs");
        await finished;
        yield piece(" 190 euros.");
      },
    };
    const run = await runService({ languageModel: () => slow });
    const session = await visitorSession(run);
    // The service waits for answers for 4 s, which do not pass here.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    const question = { messages: [{ role: "user", content: "How much is the Birch chair?" }], tools: [] };
    const answer = await run.send("POST", `/api/v1/session/${session}/llm/v2/`, question);
    const reader = answer.body!.getReader();
    await reader.read();
    let isDrained = false;
    const drained = run.service.drain().then(() => (isDrained = true));
    expect((await run.get("/readyz")).status).toBe(503);
    expect([isDrained, run.media.restartsAnnounced]).toEqual([false, 0]);
    finish();
    while (!(await reader.read()).done);
    await drained;
    expect(run.media.restartsAnnounced).toBe(1);
  });

  test("ends the sessions of other clients, which rely on being told", async () => {
    const run = await runService();
    const [plainOne, ofContext] = [await startedSession(run), await visitorSession(run)];
    const drained = run.service.drain();
    await expect.poll(() => run.media.closed).toEqual([plainOne]);
    expect(await run.event(plainOne, "SESSION_DURING")).toMatchObject({
      terminate: true,
      terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
    });
    await drained;
    expect((await run.status(ofContext)).status).toBe("IN_PROGRESS");
  });

  test("ends every session if it stops for good", async () => {
    const run = await runService({ settings: { ...settings, sessionsOnStop: "end" } });
    const session = await visitorSession(run);
    const drained = run.service.drain();
    await expect.poll(() => run.media.closed).toEqual([session]);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({
      terminate: true,
      terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
    });
    await drained;
    expect(run.media.restartsAnnounced).toBe(0);
  });

  test("waits until every client was told why, which only a heartbeat's answer says", async () => {
    extendNotice();
    const run = await runService();
    const sessions = [await startedSession(run), await startedSession(run), await startedSession(run)];
    let isDrained = false;
    const drained = run.service.drain().then(() => (isDrained = true));
    await expect.poll(() => run.media.closed.length).toBe(3);
    for (const session of sessions) {
      await run.event(session, "SESSION_LOG");
      expect((await exchange(run, session)).status).toBe(400);
    }
    for (const session of sessions) {
      expect(isDrained).toBe(false);
      await run.event(session, "SESSION_DURING");
    }
    await drained;
  });

  test("does not wait without a live session", async () => {
    const run = await runService();
    await run.event(await startedSession(run), "SESSION_END");
    await run.service.drain();
    await run.service.drain();
  });

  test("ends no session if other processes continue, creates no new peer, and sends its clients to them", async () => {
    const run = await runService({ settings: { ...settings, sharesSessions: true } });
    const [session, plainOne] = [await visitorSession(run), await startedSession(run)];
    await run.service.drain();
    expect(run.media.restartsAnnounced).toBe(1);
    for (const id of [session, plainOne])
      expect(await run.event(id, "SESSION_DURING")).toMatchObject({ terminate: false });
    const refused = await exchange(run, session);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
  });
});
