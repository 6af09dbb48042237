import { expect, test } from "vitest";
import { RecordingMedia, runService, temporaryFolder } from "../service-fixture.ts";

test("a session that never connects expires and its peer is closed", async () => {
  const run = await runService();
  const session = await run.newSession();
  run.pass(59);
  expect(await run.service.sweep()).toBe(0);
  run.pass(1);
  expect(await run.service.sweep()).toBe(1);
  expect(await run.status(session)).toMatchObject({
    status: "TERMINATED",
    termination_reason: "SESSION_EXPIRED_BEFORE_CONNECTION",
    duration_sec: 0,
  });
  expect(run.media.closed).toEqual([session]);
});

test("heartbeats and pings at the media engine keep a session alive; silence ends it", async () => {
  const run = await runService();
  const session = await run.newSession();
  run.hooks.onConnected(session);
  await expect.poll(async () => (await run.status(session)).status).toBe("IN_PROGRESS");
  run.pass(29);
  await run.event(session, "SESSION_DURING");
  run.pass(29);
  run.hooks.onActivity(session);
  await expect
    .poll(async () => (await run.store.sessions.byId(session))?.state.lastSeenAtMs)
    .toBe(Date.UTC(2026, 0, 1) + 58_000);
  run.pass(29);
  expect(await run.service.sweep()).toBe(0);
  run.pass(1);
  expect(await run.service.sweep()).toBe(1);
  expect(await run.status(session)).toMatchObject({
    termination_reason: "SESSION_LOST_AFTER_CONNECTION",
    duration_sec: 58,
  });
  expect(await run.event(session, "SESSION_DURING")).toMatchObject({
    terminate: true,
    terminate_reason: "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION",
  });
});

test("a closed peer ends no session, for any cause, because the client may come back", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.event(session, "SESSION_START");
  for (const cause of ["process-died", "connection-failed", "peer-closed"] as const)
    run.hooks.onClosed(session, cause);
  expect((await run.status(session)).status).toBe("IN_PROGRESS");
  const again = await run.send("POST", `/api/v1/session/${session}/exchange/`, {
    client_sdp: { type: "offer", sdp: "v=0 again" },
  });
  expect(again.status).toBe(200);
});

test("the context's maximum duration ends a session with the quota's reason", async () => {
  const run = await runService();
  await run.store.contexts.replace(
    run.organizationId,
    run.demo.id,
    { ...run.demo, max_session_sec: 45 },
    Date.now(),
  );
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  expect(await run.event(session, "SESSION_START")).toMatchObject({ time_left_sec: 45 });
  run.pass(25);
  expect(await run.event(session, "SESSION_DURING")).toMatchObject({ time_left_sec: 20 });
  run.pass(20);
  expect(await run.event(session, "SESSION_DURING")).toMatchObject({
    terminate: true,
    terminate_reason: "SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  });
  expect((await run.status(session)).duration_sec).toBe(45);
});

test("SESSION_ERROR ends a session with MISC_ERROR, and later events are stored and answered alike", async () => {
  const run = await runService();
  const session = await run.newSession();
  for (const event of ["SESSION_ERROR", "SESSION_LOG", "SESSION_END"])
    expect(await run.event(session, event)).toMatchObject({
      terminate: true,
      terminate_reason: "SESSION_EVENT_MISC_ERROR",
    });
  expect(await run.status(session)).toMatchObject({ termination_reason: "SESSION_MISC_ERROR" });
  expect(await run.store.events.list(session)).toHaveLength(3);
});

test("leases survive a restart, and no session is lost before its client had time to send a heartbeat", async () => {
  const folder = temporaryFolder();
  const first = await runService({ folder });
  const lost = await first.newSession();
  const kept = await first.newSession();
  await first.event(lost, "SESSION_START");
  await first.event(kept, "SESSION_START");
  await first.service.stop();
  await first.store.close();

  const downSec = 3_600;
  const second = await runService({ folder, startMs: Date.UTC(2026, 0, 1) + downSec * 1000 });
  second.service.start();
  expect(await second.service.sweep()).toBe(0);
  expect(await second.event(kept, "SESSION_DURING")).toMatchObject({ terminate: false });
  second.pass(29);
  await second.event(kept, "SESSION_DURING");
  second.pass(2);
  expect(await second.service.sweep()).toBe(1);
  expect((await second.status(kept)).status).toBe("IN_PROGRESS");
  // The lost session was seen only at its start.
  expect(await second.status(lost)).toMatchObject({
    termination_reason: "SESSION_LOST_AFTER_CONNECTION",
    duration_sec: 0,
  });
  await second.service.stop();
});

test("many ends at once agree on one reason and close the peer once", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.event(session, "SESSION_START");
  run.pass(31);
  const answers = await Promise.all([
    run.event(session, "SESSION_END"),
    run.event(session, "SESSION_ERROR"),
    run.service.sweep(),
    run.event(session, "SESSION_END"),
    run.event(session, "SESSION_ERROR"),
  ]);
  const reasons = answers.flatMap((answer) => (typeof answer === "number" ? [] : [answer.terminate_reason]));
  expect(new Set(reasons).size).toBe(1);
  expect(run.media.closed).toEqual([session]);
  expect(run.lines.filter(({ to }) => to === "TERMINATED")).toHaveLength(1);
});

test("a session that ends while its peer is created leaves no peer behind", async () => {
  const run = await runService();
  const session = await run.newSession();
  run.media.onExchange = async () => {
    await run.event(session, "SESSION_END");
  };
  const response = await run.send("POST", `/api/v1/session/${session}/exchange/`, {
    client_sdp: { type: "offer", sdp: "v=0" },
  });
  expect(response.status).toBe(400);
  expect(run.media.closed.at(-1)).toBe(session);
  expect(await run.status(session)).toMatchObject({ termination_reason: "GRACEFUL_TERMINATION" });
});

test("stopping the service ends the media engine", async () => {
  const run = await runService();
  await run.service.stop();
  expect(run.media).toBeInstanceOf(RecordingMedia);
  expect(run.media.stopped).toBe(true);
});
