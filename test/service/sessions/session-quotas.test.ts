import { describe, expect, test as plainTest } from "vitest";
import { type TerminationReason, terminationReasons } from "../../../src/protocol/session/session.ts";
import type { Quotas } from "../../../src/service/store/store.ts";
import { defaultQuotas } from "../../../src/service/store/entities/quotas.ts";
import { refusalOf, statusOf } from "../answers.ts";
import { type RunningService, runService, temporaryFolder } from "../service-fixture.ts";

const test = plainTest.extend("run", () => runService());

const unlimited = { activeSessions: null, minutesPerSession: null, minutesPerMonth: null, credits: null };
const startMs = Date.UTC(2026, 0, 1);
const plain = { capability: ["TTS"], tts_type: "visavis-slt" };

const limit = (run: RunningService, quotas: Partial<Quotas>) =>
  run.store.organizations.setQuotas(run.organizationId, { ...unlimited, ...quotas });
const create = (run: RunningService) => run.send("POST", "/api/v1/session/", plain);
const usage = (run: RunningService, month = "2026-01") =>
  run.store.organizations.usage(run.organizationId, month);
const active = async (run: RunningService) => (await usage(run)).activeSessions;
const credits = async (run: RunningService) =>
  (await run.store.organizations.quotas(run.organizationId))?.credits;

async function start(run: RunningService, fields: Record<string, unknown> = plain): Promise<string> {
  const session = await run.newSession(fields);
  await run.event(session, "SESSION_START");
  return session;
}

/** Sends heartbeats every 10 s for the given time. Returns the last answer. */
async function beat(run: RunningService, session: string, sec: number) {
  let answer = await run.event(session, "SESSION_DURING");
  for (let passed = 10; passed <= sec; passed += 10) {
    run.pass(10);
    answer = await run.event(session, "SESSION_DURING");
  }
  return answer;
}

const expectEnded = async (run: RunningService, session: string, reason: string, sec: number) =>
  expect(await run.status(session)).toMatchObject({ termination_reason: reason, duration_sec: sec });

/** Expects that a create is refused for this reason, and that the refused session is stored. */
async function expectRefused(run: RunningService, reason: string): Promise<void> {
  const response = await create(run);
  const kept = (await (await run.request(response.headers.get("Location")!)).json()) as object;
  expect(kept).toMatchObject({ status: "TERMINATED", termination_reason: reason, duration_sec: 0 });
  expect(await refusalOf(response)).toEqual([403, `- ${reason}`]);
}

describe("active sessions", () => {
  const quota = "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED";

  test("one more than the quota is refused, and the end of a session frees a place", async ({ run }) => {
    await limit(run, { activeSessions: 2 });
    const first = await run.newSession(plain);
    await run.newSession(plain);
    await expectRefused(run, quota);
    for (const event of ["SESSION_END", "SESSION_ERROR"]) await run.event(first, event);
    expect([await statusOf(create(run)), await statusOf(create(run))]).toEqual([201, 403]);
  });

  test("sessions whose lease ran out free a place", async ({ run }) => {
    await limit(run, { activeSessions: 1 });
    await run.newSession(plain);
    run.pass(60);
    await run.service.sweep();
    expect(await active(run)).toBe(0);
    expect(await statusOf(create(run))).toBe(201);
  });

  test("concurrent creates at two services on one store do not exceed the quota", async () => {
    const folder = temporaryFolder();
    const [here, there] = [await runService({ folder }), await runService({ folder })];
    await limit(here, { activeSessions: 5 });
    const creates = Array.from({ length: 40 }, (_, at) => statusOf(create(at % 2 === 0 ? here : there)));
    const statuses = await Promise.all(creates);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 403)).toHaveLength(35);
    expect(await active(there)).toBe(5);
  });

  const connect = async (run: RunningService, session: string) => {
    run.hooks.onConnected(session);
    await expect.poll(async () => (await run.status(session)).status).toBe("IN_PROGRESS");
  };

  /** The client closes its peer connection. */
  async function leave(run: RunningService, session: string) {
    run.hooks.onClosed(session, "peer-closed");
    const state = async () => (await run.store.sessions.byId(session))?.state;
    await expect.poll(async () => (await state())?.peerClosedAtMs).not.toBeNull();
  }

  const exchange = (run: RunningService, session: string) => {
    const offer = { client_sdp: { type: "offer", sdp: "v=0 again" } };
    return statusOf(run.send("POST", `/api/v1/session/${session}/exchange/`, offer));
  };

  /** A session in progress, the only one that may be active, whose client has closed its peer connection. */
  async function leftSession(run: RunningService) {
    await limit(run, { activeSessions: 1 });
    const session = await run.newSession();
    await connect(run, session);
    await leave(run, session);
    return session;
  }

  const sweepAfter = async (run: RunningService, sec: number) => {
    run.pass(sec);
    await run.service.sweep();
  };

  test("a closed peer connection frees its place after 10 s, while the session continues", async ({
    run,
  }) => {
    const session = await leftSession(run);
    await sweepAfter(run, 9);
    expect(await statusOf(create(run))).toBe(403);
    await sweepAfter(run, 1);
    expect(await run.status(session)).toMatchObject({ status: "IN_PROGRESS" });
    expect(await statusOf(create(run))).toBe(201);
    // Its end does not free the place a second time.
    await run.event(session, "SESSION_END");
    expect(await active(run)).toBe(1);
  });

  test("a new peer connection within 10 s keeps the place", async ({ run }) => {
    const session = await leftSession(run);
    run.pass(9);
    expect(await exchange(run, session)).toBe(200);
    await sweepAfter(run, 10);
    expect(await statusOf(create(run))).toBe(403);
  });

  test("a client that returns later takes a place again, and is refused if there is none", async ({
    run,
  }) => {
    const session = await leftSession(run);
    await sweepAfter(run, 10);
    expect([await exchange(run, session), await active(run)]).toEqual([200, 1]);
    await leave(run, session);
    await sweepAfter(run, 10);
    await run.newSession(plain);
    expect(await exchange(run, session)).toBe(400);
    expect(await run.status(session)).toMatchObject({ termination_reason: quota });
    expect(await active(run)).toBe(1);
  });

  test("a peer connection that died with its process keeps the place, because the client has to notice first", async ({
    run,
  }) => {
    await limit(run, { activeSessions: 1 });
    const session = await run.newSession();
    await connect(run, session);
    run.hooks.onClosed(session, "process-died");
    await sweepAfter(run, 15);
    expect(await statusOf(create(run))).toBe(403);
  });

  test("a lowered quota ends no session", async ({ run }) => {
    await limit(run, {});
    const session = await run.newSession(plain);
    await limit(run, { activeSessions: 0 });
    expect(await run.event(session, "SESSION_START")).toMatchObject({ terminate: false });
    expect(await statusOf(create(run))).toBe(403);
  });
});

test("the shorter limit of the organization and the context ends a session", async ({ run }) => {
  const reason = "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED";
  await limit(run, { minutesPerSession: 1 });
  const session = await start(run);
  expect(await beat(run, session, 50)).toMatchObject({ terminate: false });
  run.pass(10);
  expect(await run.service.sweep()).toBe(1);
  await expectEnded(run, session, reason, 50);
  await run.configure({}, { max_session_sec: 20 });
  const short = await start(run, { extra_data: { context_id: "ctx_demo" } });
  run.pass(12);
  await run.event(short, "SESSION_DURING");
  run.pass(8);
  await run.service.sweep();
  await expectEnded(run, short, reason, 12);
});

describe("minutes per month", () => {
  const quota = "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED";

  test("each started minute counts once, for ended and running sessions", async ({ run }) => {
    await limit(run, {});
    const [short, long, never] = [await start(run), await start(run), await run.newSession(plain)];
    await run.event(short, "SESSION_START");
    run.pass(5);
    for (const session of [short, never]) await run.event(session, "SESSION_END");
    await beat(run, long, 120);
    await run.event(long, "SESSION_END");
    expect(await run.status(long)).toMatchObject({ duration_sec: 125 });
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 1 + 3 });
  });

  test("when they are used up, every running session ends after its minute, and no new one starts", async ({
    run,
  }) => {
    await limit(run, { minutesPerMonth: 3 });
    const first = await start(run);
    run.pass(10);
    const second = await start(run);
    for (let passed = 0; passed < 70; passed += 10) {
      run.pass(10);
      for (const session of [first, second]) await run.event(session, "SESSION_DURING");
    }
    await expectEnded(run, second, quota, 60);
    const told = { terminate: true, terminate_reason: `SESSION_EVENT_${quota}` };
    expect(await beat(run, first, 50)).toMatchObject(told);
    await expectEnded(run, first, quota, 120);
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 3 });
    await expectRefused(run, quota);
  });

  test("a minute counts in the month in which it began, and a new month starts at zero", async () => {
    const run = await runService({ startMs: Date.UTC(2026, 0, 31, 23, 59, 30) });
    await limit(run, { minutesPerMonth: 2 });
    await beat(run, await start(run), 110);
    for (const month of ["2026-01", "2026-02"]) expect((await usage(run, month)).minutes).toBe(1);
  });
});

describe("credits", () => {
  const none = "INSUFFICIENT_CREDITS";

  test("each started minute costs one, and the session ends when none is left for the next", async ({
    run,
  }) => {
    await limit(run, { credits: 2 });
    const session = await run.newSession(plain);
    expect(await credits(run)).toBe(2);
    await run.event(session, "SESSION_START");
    expect(await credits(run)).toBe(1);
    await beat(run, session, 110);
    expect(await credits(run)).toBe(0);
    run.pass(20);
    await run.event(session, "SESSION_DURING");
    await expectEnded(run, session, none, 120);
    await expectRefused(run, none);
  });

  test("the last credit goes to one of several sessions that start at once; the others end before they start", async ({
    run,
  }) => {
    await limit(run, { credits: 1 });
    const sessions = await Promise.all(Array.from({ length: 4 }, () => run.newSession(plain)));
    const answers = await Promise.all(sessions.map((session) => run.event(session, "SESSION_START")));
    expect(answers.filter(({ terminate }) => !terminate)).toHaveLength(1);
    await expectEnded(run, sessions[answers.findIndex(({ terminate }) => terminate)]!, none, 0);
    expect(await usage(run)).toEqual({ activeSessions: 1, minutes: 1 });
    expect(await credits(run)).toBe(0);
  });

  test("the time until the end is charged, and credits do not go below zero", async ({ run }) => {
    await limit(run, { credits: 1 });
    const session = await start(run);
    await beat(run, session, 50);
    run.pass(25);
    await run.event(session, "SESSION_END");
    await expectEnded(run, session, "GRACEFUL_TERMINATION", 75);
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 2 });
    expect(await credits(run)).toBe(0);
  });

  test("the silent time until a lease ran out is neither counted nor charged", async ({ run }) => {
    await limit(run, { credits: 9 });
    const session = await start(run);
    await beat(run, session, 50);
    for (let waited = 0; waited < 40; waited += 5) {
      run.pass(5);
      await run.service.sweep();
    }
    await expectEnded(run, session, "SESSION_LOST_AFTER_CONNECTION", 50);
    expect(await usage(run)).toEqual({ activeSessions: 0, minutes: 1 });
    expect(await credits(run)).toBe(8);
  });

  test("a session that may be lost is not charged for the time in which the service was down", async () => {
    const folder = temporaryFolder();
    const first = await runService({ folder });
    await limit(first, { credits: 100 });
    const session = await start(first);
    await first.store.close();
    const second = await runService({ folder, startMs: startMs + 3_600_000 });
    second.service.start();
    for (const sec of [0, 30]) {
      second.pass(sec);
      await second.service.sweep();
      expect(await credits(second)).toBe(99);
    }
    expect((await second.status(session)).duration_sec).toBe(0);
    await second.service.stop();
  });
});

test("the first organization has the default quotas, one without quotas has no limits, and an unknown one has none", async ({
  run,
}) => {
  const { organizations } = run.store;
  expect(await organizations.quotas(run.organizationId)).toEqual(defaultQuotas);
  await organizations.insert({ id: "other", name: "Other", createdAtMs: 1 });
  expect(await organizations.quotas("other")).toEqual(unlimited);
  expect(await organizations.quotas("nobody")).toBeNull();
  expect(await organizations.setQuotas("nobody", unlimited)).toBe(false);
});

async function startedThen(
  run: RunningService,
  quotas: Partial<Quotas>,
  then: string | null,
): Promise<string> {
  await limit(run, quotas);
  const session = await start(run);
  if (then === "beat") await beat(run, session, 70);
  else if (then !== null) await run.event(session, then);
  run.pass(30);
  await run.service.sweep();
  return session;
}

/** How to end a session with each reason. */
const ways: Record<TerminationReason, (run: RunningService) => Promise<string>> = {
  GRACEFUL_TERMINATION: (run) => startedThen(run, {}, "SESSION_END"),
  SESSION_MISC_ERROR: (run) => startedThen(run, {}, "SESSION_ERROR"),
  SESSION_LOST_AFTER_CONNECTION: (run) => startedThen(run, {}, null),
  async SESSION_EXPIRED_BEFORE_CONNECTION(run) {
    const session = await run.newSession(plain);
    run.pass(60);
    await run.service.sweep();
    return session;
  },
  async MAX_ACTIVE_SESSION_QUOTA_EXCEEDED(run) {
    await limit(run, { activeSessions: 0 });
    return (await create(run)).headers.get("Location")!.split("/")[4]!;
  },
  MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: (run) => startedThen(run, { minutesPerSession: 1 }, "beat"),
  TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: (run) => startedThen(run, { minutesPerMonth: 1 }, "beat"),
  INSUFFICIENT_CREDITS: (run) => startedThen(run, { credits: 1 }, "beat"),
};

test.for([...terminationReasons])(
  "%s is returned by the session and by every later event",
  async (reason, { run }) => {
    const session = await ways[reason](run);
    expect(await run.status(session)).toMatchObject({ status: "TERMINATED", termination_reason: reason });
    const told = reason === "SESSION_MISC_ERROR" ? "MISC_ERROR" : reason;
    const terminate_reason = `SESSION_EVENT_${told}`;
    expect(await run.event(session, "SESSION_DURING")).toMatchObject({ terminate: true, terminate_reason });
    expect(await active(run)).toBe(0);
  },
);
