import { describe, expect, test } from "vitest";
import { type TerminationReason, terminationReasons } from "../../../src/protocol/session/session.ts";
import type { Quotas } from "../../../src/service/store/store.ts";
import { defaultQuotas } from "../../../src/service/store/entities/quotas.ts";
import { type RunningService, runService, temporaryFolder } from "../service-fixture.ts";

const unlimited: Quotas = {
  activeSessions: null,
  minutesPerSession: null,
  minutesPerMonth: null,
  credits: null,
};

const startMs = Date.UTC(2026, 0, 1);
const plain = { capability: ["TTS"], tts_type: "visavis-slt" };

async function limited(quotas: Partial<Quotas>, options: Parameters<typeof runService>[0] = {}) {
  const run = await runService(options);
  await run.store.organizations.setQuotas(run.organizationId, { ...unlimited, ...quotas });
  return run;
}

const create = (run: RunningService) => run.send("POST", "/api/v1/session/", plain);
const usage = (run: RunningService, month = "2026-01") =>
  run.store.organizations.usage(run.organizationId, month);
const credits = async (run: RunningService) =>
  (await run.store.organizations.quotas(run.organizationId))?.credits;

/** Sends heartbeats every 10 s for the given time. Returns the last answer. */
async function beat(run: RunningService, session: string, sec: number) {
  let answer = await run.event(session, "SESSION_DURING");
  for (let passed = 10; passed <= sec; passed += 10) {
    run.pass(10);
    answer = await run.event(session, "SESSION_DURING");
  }
  return answer;
}

/** A refused create: its answer, and the session that is stored. */
async function refusal(run: RunningService) {
  const response = await create(run);
  const body = (await response.json()) as { type: string; errors: { code: string; attr: string | null }[] };
  const kept = await run.request(response.headers.get("Location")!);
  return { status: response.status, body, kept: (await kept.json()) as Record<string, unknown> };
}

describe("active sessions", () => {
  test("one more than the quota is refused, and the end of a session frees a place", async () => {
    const run = await limited({ activeSessions: 2 });
    const first = await run.newSession(plain);
    await run.newSession(plain);
    const { status, body, kept } = await refusal(run);
    expect(status).toBe(403);
    expect(body).toMatchObject({
      type: "client_error",
      errors: [{ code: "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED", attr: null }],
    });
    expect(kept).toMatchObject({
      status: "TERMINATED",
      termination_reason: "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED",
      duration_sec: 0,
    });
    await run.event(first, "SESSION_END");
    await run.event(first, "SESSION_ERROR");
    expect((await create(run)).status).toBe(201);
    expect((await create(run)).status).toBe(403);
  });

  test("sessions whose lease ran out free a place", async () => {
    const run = await limited({ activeSessions: 1 });
    await run.newSession(plain);
    run.pass(60);
    await run.service.sweep();
    expect(await usage(run)).toMatchObject({ activeSessions: 0 });
    expect((await create(run)).status).toBe(201);
  });

  test("concurrent creates at two services on one store do not exceed the quota", async () => {
    const folder = temporaryFolder();
    const here = await limited({ activeSessions: 5 }, { folder });
    const there = await runService({ folder });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => create(index % 2 === 0 ? here : there)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(35);
    expect(await usage(there)).toMatchObject({ activeSessions: 5 });
  });

  /** A session in progress whose client has closed its peer connection. */
  async function leftSession(run: RunningService) {
    const session = await run.newSession();
    run.hooks.onConnected(session);
    await expect.poll(async () => (await run.status(session)).status).toBe("IN_PROGRESS");
    run.hooks.onClosed(session, "peer-closed");
    await expect
      .poll(async () => (await run.store.sessions.byId(session))?.state.peerClosedAtMs)
      .not.toBeNull();
    return session;
  }

  test("a closed peer connection frees its place after 10 s, while the session continues", async () => {
    const run = await limited({ activeSessions: 1 });
    const session = await leftSession(run);
    run.pass(9);
    await run.service.sweep();
    expect((await create(run)).status).toBe(403);
    run.pass(1);
    await run.service.sweep();
    expect(await run.status(session)).toMatchObject({ status: "IN_PROGRESS" });
    expect((await create(run)).status).toBe(201);
    // Its end does not free the place a second time.
    await run.event(session, "SESSION_END");
    expect(await usage(run)).toMatchObject({ activeSessions: 1 });
  });

  test("a new peer connection within 10 s keeps the place", async () => {
    const run = await limited({ activeSessions: 1 });
    const session = await leftSession(run);
    run.pass(9);
    const offer = { client_sdp: { type: "offer", sdp: "v=0 again" } };
    expect((await run.send("POST", `/api/v1/session/${session}/exchange/`, offer)).status).toBe(200);
    run.pass(10);
    await run.service.sweep();
    expect((await create(run)).status).toBe(403);
  });

  test("a client that returns later takes a place again, and is refused if there is none", async () => {
    const run = await limited({ activeSessions: 1 });
    const session = await leftSession(run);
    run.pass(10);
    await run.service.sweep();
    const offer = { client_sdp: { type: "offer", sdp: "v=0 again" } };
    expect((await run.send("POST", `/api/v1/session/${session}/exchange/`, offer)).status).toBe(200);
    expect(await usage(run)).toMatchObject({ activeSessions: 1 });
    run.hooks.onClosed(session, "peer-closed");
    await expect
      .poll(async () => (await run.store.sessions.byId(session))?.state.peerClosedAtMs)
      .not.toBeNull();
    run.pass(10);
    await run.service.sweep();
    await run.newSession(plain);
    expect((await run.send("POST", `/api/v1/session/${session}/exchange/`, offer)).status).toBe(400);
    expect(await run.status(session)).toMatchObject({
      termination_reason: "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED",
    });
    expect(await usage(run)).toMatchObject({ activeSessions: 1 });
  });

  test("a peer connection that died with its process keeps the place, because the client has to notice first", async () => {
    const run = await limited({ activeSessions: 1 });
    const session = await run.newSession();
    run.hooks.onConnected(session);
    await expect.poll(async () => (await run.status(session)).status).toBe("IN_PROGRESS");
    run.hooks.onClosed(session, "process-died");
    run.pass(15);
    await run.service.sweep();
    expect((await create(run)).status).toBe(403);
  });

  test("a lowered quota ends no session", async () => {
    const run = await limited({});
    const session = await run.newSession(plain);
    await run.store.organizations.setQuotas(run.organizationId, { ...unlimited, activeSessions: 0 });
    expect(await run.event(session, "SESSION_START")).toMatchObject({ terminate: false });
    expect((await create(run)).status).toBe(403);
  });
});

describe("minutes per session", () => {
  test("the shorter limit of the organization and the context ends a session", async () => {
    const run = await limited({ minutesPerSession: 1 });
    const session = await run.newSession(plain);
    await run.event(session, "SESSION_START");
    expect(await beat(run, session, 50)).toMatchObject({ terminate: false });
    run.pass(10);
    expect(await run.service.sweep()).toBe(1);
    expect(await run.status(session)).toMatchObject({
      termination_reason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
      duration_sec: 50,
    });
    await run.store.contexts.replace(
      run.organizationId,
      run.demo.id,
      { ...run.demo, max_session_sec: 20 },
      startMs,
    );
    const short = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
    await run.event(short, "SESSION_START");
    run.pass(12);
    await run.event(short, "SESSION_DURING");
    run.pass(8);
    await run.service.sweep();
    expect(await run.status(short)).toMatchObject({
      termination_reason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
      duration_sec: 12,
    });
  });
});

describe("minutes per month", () => {
  test("each started minute counts once, for ended and running sessions", async () => {
    const run = await limited({});
    const [short, long, never] = [
      await run.newSession(plain),
      await run.newSession(plain),
      await run.newSession(plain),
    ];
    await run.event(short, "SESSION_START");
    await run.event(short, "SESSION_START");
    await run.event(long, "SESSION_START");
    run.pass(5);
    await run.event(short, "SESSION_END");
    await run.event(never, "SESSION_END");
    await beat(run, long, 120);
    await run.event(long, "SESSION_END");
    expect(await run.status(long)).toMatchObject({ duration_sec: 125 });
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 1 + 3 });
  });

  test("when they are used up, every running session ends after its minute, and no new one starts", async () => {
    const run = await limited({ minutesPerMonth: 3 });
    const [first, second] = [await run.newSession(plain), await run.newSession(plain)];
    await run.event(first, "SESSION_START");
    run.pass(10);
    await run.event(second, "SESSION_START");
    for (let passed = 0; passed < 70; passed += 10) {
      run.pass(10);
      await run.event(first, "SESSION_DURING");
      await run.event(second, "SESSION_DURING");
    }
    expect(await run.status(second)).toMatchObject({
      termination_reason: "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
      duration_sec: 60,
    });
    expect(await beat(run, first, 50)).toMatchObject({
      terminate: true,
      terminate_reason: "SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
    });
    expect(await run.status(first)).toMatchObject({ duration_sec: 120 });
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 3 });
    const { status, body, kept } = await refusal(run);
    expect([status, body.errors[0]?.code]).toEqual([403, "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED"]);
    expect(kept["termination_reason"]).toBe("TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED");
  });

  test("a minute counts in the month in which it began, and a new month starts at zero", async () => {
    const run = await limited({ minutesPerMonth: 2 }, { startMs: Date.UTC(2026, 0, 31, 23, 59, 30) });
    const session = await run.newSession(plain);
    await run.event(session, "SESSION_START");
    await beat(run, session, 110);
    expect((await usage(run, "2026-01")).minutes).toBe(1);
    expect((await usage(run, "2026-02")).minutes).toBe(1);
  });
});

describe("credits", () => {
  test("each started minute costs one, and the session ends when none is left for the next", async () => {
    const run = await limited({ credits: 2 });
    const session = await run.newSession(plain);
    expect(await credits(run)).toBe(2);
    await run.event(session, "SESSION_START");
    expect(await credits(run)).toBe(1);
    await beat(run, session, 110);
    expect(await credits(run)).toBe(0);
    run.pass(20);
    await run.event(session, "SESSION_DURING");
    expect(await run.status(session)).toMatchObject({
      termination_reason: "INSUFFICIENT_CREDITS",
      duration_sec: 120,
    });
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({
      terminate_reason: "SESSION_EVENT_INSUFFICIENT_CREDITS",
    });
    const { status, body } = await refusal(run);
    expect([status, body.errors[0]?.code]).toEqual([403, "INSUFFICIENT_CREDITS"]);
  });

  test("the last credit goes to one of several sessions that start at once; the others end before they start", async () => {
    const run = await limited({ credits: 1 });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => run.newSession(plain)));
    const answers = await Promise.all(sessions.map((session) => run.event(session, "SESSION_START")));
    expect(answers.filter(({ terminate }) => !terminate)).toHaveLength(1);
    const unstarted = sessions[answers.findIndex(({ terminate }) => terminate)]!;
    expect(await run.status(unstarted)).toMatchObject({
      termination_reason: "INSUFFICIENT_CREDITS",
      duration_sec: 0,
    });
    expect(await usage(run)).toEqual({ activeSessions: 1, minutes: 1 });
    expect(await credits(run)).toBe(0);
  });

  test("the time until the end is charged, and credits do not go below zero", async () => {
    const run = await limited({ credits: 1 });
    const session = await run.newSession(plain);
    await run.event(session, "SESSION_START");
    await beat(run, session, 50);
    run.pass(25);
    await run.event(session, "SESSION_END");
    expect(await run.status(session)).toMatchObject({
      termination_reason: "GRACEFUL_TERMINATION",
      duration_sec: 75,
    });
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 2 });
    expect(await credits(run)).toBe(0);
  });

  test("the silent time until a lease ran out is neither counted nor charged", async () => {
    const run = await limited({ credits: 9 });
    const session = await run.newSession(plain);
    await run.event(session, "SESSION_START");
    await beat(run, session, 50);
    for (let waited = 0; waited < 40; waited += 5) {
      run.pass(5);
      await run.service.sweep();
    }
    expect(await run.status(session)).toMatchObject({
      termination_reason: "SESSION_LOST_AFTER_CONNECTION",
      duration_sec: 50,
    });
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 1 });
    expect(await credits(run)).toBe(8);
  });

  test("a session that may be lost is not charged for the time in which the service was down", async () => {
    const folder = temporaryFolder();
    const first = await limited({ credits: 100 }, { folder });
    const session = await first.newSession(plain);
    await first.event(session, "SESSION_START");
    await first.store.close();
    const second = await runService({ folder, startMs: startMs + 3_600_000 });
    second.service.start();
    await second.service.sweep();
    expect(await credits(second)).toBe(99);
    second.pass(30);
    await second.service.sweep();
    expect((await second.status(session)).duration_sec).toBe(0);
    expect(await credits(second)).toBe(99);
    await second.service.stop();
  });
});

test("the first organization has the default quotas, one without quotas has no limits, and an unknown one has none", async () => {
  const run = await runService();
  expect(await run.store.organizations.quotas(run.organizationId)).toEqual(defaultQuotas);
  await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: 1 });
  expect(await run.store.organizations.quotas("other")).toEqual(unlimited);
  expect(await run.store.organizations.quotas("nobody")).toBeNull();
  expect(await run.store.organizations.setQuotas("nobody", unlimited)).toBe(false);
});

/** How to end a session with each reason. */
const ways: Record<TerminationReason, (run: RunningService) => Promise<string>> = {
  GRACEFUL_TERMINATION: (run) => started(run, {}, "SESSION_END"),
  SESSION_MISC_ERROR: (run) => started(run, {}, "SESSION_ERROR"),
  SESSION_LOST_AFTER_CONNECTION: (run) => started(run, {}, null),
  async SESSION_EXPIRED_BEFORE_CONNECTION(run) {
    const session = await run.newSession(plain);
    run.pass(60);
    await run.service.sweep();
    return session;
  },
  async MAX_ACTIVE_SESSION_QUOTA_EXCEEDED(run) {
    await run.store.organizations.setQuotas(run.organizationId, { ...unlimited, activeSessions: 0 });
    return (await create(run)).headers.get("Location")!.split("/")[4]!;
  },
  MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: (run) => started(run, { minutesPerSession: 1 }, "beat"),
  TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: (run) => started(run, { minutesPerMonth: 1 }, "beat"),
  INSUFFICIENT_CREDITS: (run) => started(run, { credits: 1 }, "beat"),
};

async function started(run: RunningService, quotas: Partial<Quotas>, then: string | null): Promise<string> {
  await run.store.organizations.setQuotas(run.organizationId, { ...unlimited, ...quotas });
  const session = await run.newSession(plain);
  await run.event(session, "SESSION_START");
  if (then === "beat") await beat(run, session, 70);
  else if (then !== null) await run.event(session, then);
  run.pass(30);
  await run.service.sweep();
  return session;
}

test.each(terminationReasons)("%s is returned by the session and by every later event", async (reason) => {
  const run = await runService();
  const session = await ways[reason](run);
  expect(await run.status(session)).toMatchObject({ status: "TERMINATED", termination_reason: reason });
  expect(await run.event(session, "SESSION_DURING")).toMatchObject({
    terminate: true,
    terminate_reason: `SESSION_EVENT_${reason === "SESSION_MISC_ERROR" ? "MISC_ERROR" : reason}`,
  });
  expect(await usage(run)).toMatchObject({ activeSessions: 0 });
});
