import Database from "libsql";
import { describe, expect, onTestFinished, test as plainTest, vi } from "vitest";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { jsonOf, statusOf } from "../answers.ts";
import { type RunningService, runService, settingsWith, temporaryFolder } from "../service-fixture.ts";

const test = plainTest.extend("run", () => runService());

const plain = { capability: ["TTS"], tts_type: "visavis-slt" };
const ofDemo = { extra_data: { context_id: "ctx_demo" } };
const startMs = Date.UTC(2026, 0, 1);
const graceful = "GRACEFUL_TERMINATION";
const lost = "SESSION_LOST_AFTER_CONNECTION";

const reasonOf = async (run: RunningService, session: string) =>
  (await run.status(session)).termination_reason;
const expectEnded = async (run: RunningService, session: string, reason: string | null, sec: number) =>
  expect(await run.status(session)).toMatchObject({ termination_reason: reason, duration_sec: sec });
const terminated = (reason: string) => ({ terminate: true, terminate_reason: `SESSION_EVENT_${reason}` });

/** Connects a session's peer. */
const exchange = (run: RunningService, session: string): Promise<Response> => {
  const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
  return run.send("POST", `/api/v1/session/${session}/exchange/`, offer);
};

/** A session, five seconds old. */
async function startedSession(run: RunningService, fields: Record<string, unknown> = plain): Promise<string> {
  const session = await run.newSession(fields);
  if (fields !== plain) await jsonOf(exchange(run, session));
  await run.event(session, "SESSION_START");
  run.pass(5);
  await run.event(session, "SESSION_DURING");
  return session;
}

/** A connected session of an embed context, five seconds old. */
const visitorSession = (run: RunningService) => startedSession(run, ofDemo);

/** A service on the same folder, so many seconds after the first one began. */
async function restarted(folder: string, sec: number): Promise<RunningService> {
  const run = await runService({ folder, startMs: startMs + sec * 1_000 });
  run.service.start();
  onTestFinished(() => run.service.stop());
  return run;
}

describe("a session ends once", () => {
  /** What can end a session, and its reason if it is the first. */
  const ends: Record<string, [string, (run: RunningService, session: string) => Promise<unknown>]> = {
    close: [graceful, (run, session) => run.event(session, "SESSION_END")],
    terminate: [graceful, (run, session) => run.service.endSession(run.organizationId, session)],
    failed: ["SESSION_MISC_ERROR", (run, session) => run.event(session, "SESSION_ERROR")],
    unmount: [
      graceful,
      (run, session) => {
        run.hooks.onClosed(session, "peer-closed");
        return run.event(session, "SESSION_END");
      },
    ],
  };

  const orders = (names: readonly string[]): string[][] =>
    names.length === 0
      ? [[]]
      : names.flatMap((name) =>
          orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
        );

  test.for(["follows", "comes at once"])(
    "whatever %s, in any order: one log line, one closed peer, one session less",
    async (how, { run }) => {
      for (const [before, order] of orders(Object.keys(ends)).entries()) {
        run.lines.length = 0;
        run.media.closed.length = 0;
        const session = await startedSession(run);
        const what = order.join(", ");
        const reasons = how === "follows" ? [ends[order[0]!]![0]] : [graceful, "SESSION_MISC_ERROR"];
        if (how === "comes at once") await Promise.all(order.map((name) => ends[name]![1](run, session)));
        else
          for (const name of order) {
            await ends[name]![1](run, session);
            run.pass(1);
          }
        expect(reasons, what).toContain(await reasonOf(run, session));
        expect((await run.status(session)).duration_sec, what).toBe(5);
        expect(run.lines.filter(({ to }) => to === "TERMINATED")).toHaveLength(1);
        expect(run.media.closed, what).toEqual([session]);
        const usage = { activeSessions: 0, minutes: before + 1 };
        expect(await run.store.organizations.usage(run.organizationId, "2026-01"), what).toEqual(usage);
      }
    },
  );

  test("also where its lease runs out meanwhile: all callers read one reason", async ({ run }) => {
    const session = await startedSession(run);
    run.pass(31);
    const events = ["SESSION_END", "SESSION_ERROR", "SESSION_END"].map((event) => run.event(session, event));
    const [answers] = await Promise.all([Promise.all(events), run.service.sweep()]);
    expect(new Set(answers.map((answer) => answer.terminate_reason)).size).toBe(1);
    expect(run.media.closed).toEqual([session]);
    expect(run.lines.filter(({ to }) => to === "TERMINATED")).toHaveLength(1);
  });

  test("SESSION_ERROR ends it with MISC_ERROR, and later events are stored and answered alike", async ({
    run,
  }) => {
    const session = await run.newSession();
    for (const event of ["SESSION_ERROR", "SESSION_LOG", "SESSION_END"])
      expect(await run.event(session, event)).toMatchObject(terminated("MISC_ERROR"));
    expect(await reasonOf(run, session)).toBe("SESSION_MISC_ERROR");
    expect(await run.store.events.list(session)).toHaveLength(3);
  });

  test("while its peer is created, and leaves no peer behind", async ({ run }) => {
    const session = await run.newSession();
    run.media.onExchange = async () => void (await run.event(session, "SESSION_END"));
    expect(await statusOf(exchange(run, session))).toBe(400);
    expect(run.media.closed.at(-1)).toBe(session);
    expect(await reasonOf(run, session)).toBe(graceful);
  });

  test("by the operator of its own organization only", async ({ run }) => {
    const session = await startedSession(run);
    for (const [organization, id] of [
      ["another", session] as const,
      [run.organizationId, "0".repeat(40)] as const,
    ])
      await expect(run.service.endSession(organization, id)).rejects.toMatchObject({ status: 404 });
    expect((await run.status(session)).status).toBe("IN_PROGRESS");
  });
});

describe("leases", () => {
  test("a session that never connects expires and its peer is closed", async ({ run }) => {
    const session = await run.newSession();
    for (const [sec, ended] of [[59, 0] as const, [1, 1] as const]) {
      run.pass(sec);
      expect(await run.service.sweep()).toBe(ended);
    }
    await expectEnded(run, session, "SESSION_EXPIRED_BEFORE_CONNECTION", 0);
    expect(run.media.closed).toEqual([session]);
  });

  test("heartbeats and pings at the media engine keep a session alive; silence ends it", async ({ run }) => {
    const session = await run.newSession();
    run.hooks.onConnected(session);
    await expect.poll(async () => (await run.status(session)).status).toBe("IN_PROGRESS");
    run.pass(29);
    await run.event(session, "SESSION_DURING");
    run.pass(29);
    run.hooks.onActivity(session);
    const seen = async () => (await run.store.sessions.byId(session))?.state.lastSeenAtMs;
    await expect.poll(seen).toBe(startMs + 58_000);
    for (const [sec, ended] of [[29, 0] as const, [1, 1] as const]) {
      run.pass(sec);
      expect(await run.service.sweep()).toBe(ended);
    }
    await expectEnded(run, session, lost, 58);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject(terminated(lost));
  });

  test("a closed peer ends no session, for any cause, because the client may come back", async ({ run }) => {
    const session = await run.newSession();
    await run.event(session, "SESSION_START");
    for (const cause of ["process-died", "connection-failed", "peer-closed"] as const)
      run.hooks.onClosed(session, cause);
    expect((await run.status(session)).status).toBe("IN_PROGRESS");
    expect(await statusOf(exchange(run, session))).toBe(200);
  });

  test("the context's maximum duration ends a session with the quota's reason", async ({ run }) => {
    await run.configure({}, { max_session_sec: 45 });
    const session = await run.newSession(ofDemo);
    expect(await run.event(session, "SESSION_START")).toMatchObject({ time_left_sec: 45 });
    run.pass(25);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({ time_left_sec: 20 });
    run.pass(20);
    const told = terminated("MAX_MIN_PER_SESSION_QUOTA_EXCEEDED");
    expect(await run.event(session, "SESSION_DURING")).toMatchObject(told);
    expect((await run.status(session)).duration_sec).toBe(45);
  });

  test("survive a restart, and no session is lost before its client had time to send a heartbeat", async () => {
    const folder = temporaryFolder();
    const first = await runService({ folder });
    const [gone, kept] = [await first.newSession(), await first.newSession()];
    for (const session of [gone, kept]) await first.event(session, "SESSION_START");
    await first.service.stop();
    await first.store.close();

    const second = await restarted(folder, 3_600);
    expect(await second.service.sweep()).toBe(0);
    expect(await second.event(kept, "SESSION_DURING")).toMatchObject({ terminate: false });
    second.pass(29);
    await second.event(kept, "SESSION_DURING");
    second.pass(2);
    expect(await second.service.sweep()).toBe(1);
    expect((await second.status(kept)).status).toBe("IN_PROGRESS");
    // The lost session was seen only at its start.
    await expectEnded(second, gone, lost, 0);
  });

  const change = ({ store, organizationId, demo }: RunningService, fields: object, count: number) =>
    store.contexts.replace(organizationId, demo.id, { ...demo, ...fields }, demo.updatedAtMs + count);

  test.for<[how: string, revoke: (run: RunningService) => Promise<unknown>]>([
    ["switched off", (run) => change(run, { is_active: false }, 2)],
    ["removed", (run) => run.store.contexts.remove(run.organizationId, run.demo.id)],
  ])(
    "a context that is %s ends its live sessions, whether or not their clients call",
    async ([, revoke], { run }) => {
      const [session, other] = [await run.newSession(ofDemo), await run.newSession(plain)];
      await change(run, { greeting: "Hello" }, 1);
      expect(await run.service.sweep()).toBe(0);
      await revoke(run);
      expect(await run.service.sweep()).toBe(1);
      expect([await reasonOf(run, session), await reasonOf(run, other)]).toEqual([graceful, null]);
      expect(run.media.closed).toEqual([session]);
    },
  );
});

describe("a sweep", () => {
  /** More than two batches. */
  const many = 201;

  async function newSessions(run: RunningService, count: number): Promise<void> {
    await run.store.organizations.setQuotas(run.organizationId, { activeSessions: null });
    await Promise.all(Array.from({ length: count }, () => run.newSession(plain)));
  }

  test("ends all sessions that are due, and lets other work run in between", async ({ run }) => {
    await newSessions(run, many);
    run.pass(60);
    const turns: number[] = [];
    const swept = run.service.sweep();
    const counting = setInterval(() => turns.push(run.media.closed.length), 0);
    expect(await swept).toBe(many);
    clearInterval(counting);
    expect(turns.some((ended) => ended > 0 && ended < many)).toBe(true);
    const usage = await run.store.organizations.usage(run.organizationId, "2026-01");
    expect(usage).toMatchObject({ activeSessions: 0 });
    expect(await run.service.sweep()).toBe(0);
  });

  test("finds due quota ends right after a restart behind sessions that may be lost", async () => {
    const folder = temporaryFolder();
    const first = await runService({ folder });
    await newSessions(first, many);
    const none = { activeSessions: null, minutesPerMonth: null, credits: null };
    const quotas = { ...none, minutesPerSession: 1 };
    await first.store.organizations.setQuotas(first.organizationId, quotas);
    const limited = await first.newSession(plain);
    await first.event(limited, "SESSION_START");
    await first.store.close();
    const second = await restarted(folder, 61);
    expect(await second.service.sweep()).toBe(1);
    expect(await reasonOf(second, limited)).toBe("MAX_MIN_PER_SESSION_QUOTA_EXCEEDED");
  });

  test("uses an index, as heartbeats and retrieves do", async () => {
    const folder = temporaryFolder();
    const prepared = vi.spyOn(Database.prototype, "prepare");
    const run = await runService({ folder });
    await newSessions(run, 101);
    const session = await run.newSession(plain);
    await run.event(session, "SESSION_START");
    run.pass(60);
    await run.event(session, "SESSION_DURING");
    await run.status(session);
    await run.service.sweep();
    const fresh = new Database(`${folder}/visavis.db`);
    const seen = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /session/.test(sql));
    prepared.mockRestore();
    expect(seen.some((sql) => sql.includes("deadline_at_ms"))).toBe(true);
    for (const sql of seen) {
      const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
      const plan = fresh.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[];
      for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN|TEMP B-TREE/);
    }
    fresh.close();
  });
});

/** Gives clients ten minutes in place of the 6 s that they have to learn of their session's end. */
function extendNotice(): void {
  const start = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => start(run, ms === 6_000 ? 600_000 : ms));
  onTestFinished(() => void vi.unstubAllGlobals());
}

describe("a service that stops", () => {
  const expectLater = ({ status, headers }: Response) =>
    expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
  const stays = { terminate: false };

  test("refuses new sessions, and is not ready for load balancers", async ({ run }) => {
    await visitorSession(run);
    const drained = run.service.drain();
    const refused = await run.send("POST", "/api/v1/session/", plain);
    expectLater(refused);
    expect(await refused.json()).toMatchObject({ type: "server_error", errors: [{ code: "error" }] });
    expect([await statusOf(run.get("/readyz")), await statusOf(run.get("/healthz"))]).toEqual([503, 200]);
    await drained;
  });

  test("keeps the sessions of embed contexts for its restart, tells their clients, and creates no new peer", async () => {
    const folder = temporaryFolder();
    const run = await runService({ folder });
    const session = await visitorSession(run);
    const drained = run.service.drain();
    await expect.poll(() => run.media.restartsAnnounced).toBe(1);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject(stays);
    expectLater(await exchange(run, session));
    await drained;
    await run.service.stop();
    expect([run.media.closed, run.media.stopped]).toEqual([[], true]);

    const again = await restarted(folder, 25);
    await again.service.sweep();
    await expectEnded(again, session, null, 5);
    expect(await statusOf(exchange(again, session))).toBe(200);
    expect((await again.status(session)).duration_sec).toBe(25);
  });

  test("counts no time for a session whose client does not come back after the restart", async () => {
    const folder = temporaryFolder();
    const run = await runService({ folder });
    const session = await visitorSession(run);
    await run.service.drain();
    const again = await restarted(folder, 600);
    again.pass(defaultServiceSettings.lostAfterSec);
    await again.service.sweep();
    await expectEnded(again, session, lost, 5);
  });

  test("lets an answer in progress end before it says that it restarts", async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const piece = (content: string) =>
      ({ status: "success", type: "message", role: "assistant", content }) as const;
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
    expect(await statusOf(run.get("/readyz"))).toBe(503);
    expect([isDrained, run.media.restartsAnnounced]).toEqual([false, 0]);
    finish();
    while (!(await reader.read()).done);
    await drained;
    expect(run.media.restartsAnnounced).toBe(1);
  });

  test("ends the sessions of other clients, which rely on being told", async ({ run }) => {
    const [plainOne, ofContext] = [await startedSession(run), await visitorSession(run)];
    const drained = run.service.drain();
    await expect.poll(() => run.media.closed).toEqual([plainOne]);
    expect(await run.event(plainOne, "SESSION_DURING")).toMatchObject(terminated(graceful));
    await drained;
    expect((await run.status(ofContext)).status).toBe("IN_PROGRESS");
  });

  test("ends every session if it stops for good", async () => {
    const run = await runService({ settings: settingsWith({ sessionsOnStop: "end" }) });
    const session = await visitorSession(run);
    const drained = run.service.drain();
    await expect.poll(() => run.media.closed).toEqual([session]);
    expect(await run.event(session, "SESSION_DURING")).toMatchObject(terminated(graceful));
    await drained;
    expect(run.media.restartsAnnounced).toBe(0);
  });

  test("waits until every client was told why, which only a heartbeat's answer says", async ({ run }) => {
    extendNotice();
    const sessions = [await startedSession(run), await startedSession(run), await startedSession(run)];
    let isDrained = false;
    const drained = run.service.drain().then(() => (isDrained = true));
    await expect.poll(() => run.media.closed.length).toBe(3);
    for (const session of sessions) {
      await run.event(session, "SESSION_LOG");
      expect(await statusOf(exchange(run, session))).toBe(400);
    }
    for (const session of sessions) {
      expect(isDrained).toBe(false);
      await run.event(session, "SESSION_DURING");
    }
    await drained;
  });

  test("does not wait without a live session", async ({ run }) => {
    await run.event(await startedSession(run), "SESSION_END");
    await run.service.drain();
    await run.service.drain();
  });

  test("ends no session if other processes continue, creates no new peer, and sends its clients to them", async () => {
    const run = await runService({ settings: settingsWith({ sharesSessions: true }) });
    const [session, plainOne] = [await visitorSession(run), await startedSession(run)];
    await run.service.drain();
    expect(run.media.restartsAnnounced).toBe(1);
    for (const id of [session, plainOne]) expect(await run.event(id, "SESSION_DURING")).toMatchObject(stays);
    expectLater(await exchange(run, session));
  });
});
