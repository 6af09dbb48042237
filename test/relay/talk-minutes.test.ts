import { expect, test } from "vitest";
import type { RelaySessionResponse } from "../../src/protocol/session/relay-session.ts";
import { errorCode, runRelay, type RunningRelay } from "./relay-fixture.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function runLimited(minutes: number): Promise<RunningRelay> {
  const relay = await runRelay();
  await relay.changeContext((context) => {
    context.embed_config.limits = { minutes_per_day: minutes };
  });
  return relay;
}

const report = (relay: RunningRelay, { session }: RelaySessionResponse, token: string, event: string) =>
  relay.post(`/embed/v1/sessions/${session.session_id}/event`, { event }, bearer(token));

const start = (relay: RunningRelay) =>
  relay.post("/embed/v1/sessions", { context_id: "ctx_demo", mode: "text" });

test("300 requests with the first token again count the session's time once", async () => {
  const relay = await runLimited(3);
  const opened = await relay.newSession({ mode: "text" });
  await report(relay, opened, opened.token, "SESSION_START");
  for (let beat = 0; beat < 6; beat += 1) {
    relay.pass(10);
    for (let replay = 0; replay < 50; replay += 1)
      expect((await report(relay, opened, opened.token, "SESSION_DURING")).status).toBe(201);
  }
  // One minute is used up, not three.
  expect((await start(relay)).status).toBe(201);
});

test("requests that are replayed after the end count nothing", async () => {
  const relay = await runLimited(1);
  const opened = await relay.newSession({ mode: "text" });
  await report(relay, opened, opened.token, "SESSION_START");
  relay.pass(20);
  await report(relay, opened, opened.token, "SESSION_END");
  for (let replay = 0; replay < 20; replay += 1) {
    relay.pass(10);
    const answer = await report(relay, opened, opened.token, "SESSION_DURING");
    expect(await answer.json()).toMatchObject({ terminate: true });
  }
  expect((await start(relay)).status).toBe(201);
});

test("the time of a session without reports to the relay is taken from the service's record", async () => {
  const relay = await runLimited(1);
  const { session } = await relay.newSession({ mode: "text" });
  await relay.running.event(session.session_id, "SESSION_START");
  for (let beat = 0; beat < 7; beat += 1) {
    relay.pass(10);
    await relay.running.event(session.session_id, "SESSION_DURING");
  }
  const refused = await start(relay);
  expect([refused.status, await errorCode(refused)]).toEqual([403, "quota_exceeded"]);
});

test("an end counts the time since the last heartbeat", async () => {
  const relay = await runLimited(1);
  const opened = await relay.newSession({ mode: "text" });
  await report(relay, opened, opened.token, "SESSION_START");
  relay.pass(61);
  await report(relay, opened, opened.token, "SESSION_END");
  expect(await errorCode(await start(relay))).toBe("quota_exceeded");
});

test("heartbeats say how much of the day is left, and end the session when it is used up", async () => {
  const relay = await runLimited(1);
  const opened = await relay.newSession({ mode: "text" });
  await report(relay, opened, opened.token, "SESSION_START");
  const answers: unknown[] = [];
  for (let beat = 0; beat < 7; beat += 1) {
    relay.pass(10);
    const answer = await report(relay, opened, opened.token, "SESSION_DURING");
    const { terminate, terminate_reason, time_left_sec } = (await answer.json()) as Record<string, unknown>;
    answers.push(terminate ? terminate_reason : time_left_sec);
  }
  expect(answers.slice(0, 6)).toEqual([50, 40, 30, 20, 10, "SESSION_EVENT_DAY_LIMIT_REACHED"]);
  const { session_id: id } = opened.session;
  expect(await relay.running.status(id)).toMatchObject({ termination_reason: "GRACEFUL_TERMINATION" });
});

test("the smaller of the session's and the day's time is told", async () => {
  const relay = await runLimited(10);
  await relay.changeContext((context) => {
    context.max_session_sec = 90;
  });
  const opened = await relay.newSession({ mode: "text" });
  const answer = await report(relay, opened, opened.token, "SESSION_START");
  expect(await answer.json()).toMatchObject({ time_left_sec: 90 });
});

test("a refusal names the limit", async () => {
  const relay = await runLimited(0);
  const refused = (await (await start(relay)).json()) as { errors: unknown[] };
  expect(refused.errors).toMatchObject([{ code: "quota_exceeded", limit: "day" }]);
});
