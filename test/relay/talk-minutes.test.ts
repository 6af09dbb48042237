import { expect, test } from "vitest";
import { bearer, failure, type OpenSession, type RunningRelay, runRelay } from "./relay-fixture.ts";

/** A context with so many minutes a day, and a conversation that has begun. */
async function runLimited(minutes: number): Promise<{ relay: RunningRelay; session: OpenSession }> {
  const relay = await runRelay();
  await relay.changeContext((context) => {
    context.embed_config.limits = { minutes_per_day: minutes };
  });
  const session = await relay.open({ mode: "text" });
  await session.event("SESSION_START");
  return { relay, session };
}

test("sixty requests with the first token again count the session's time once", async () => {
  const { relay, session } = await runLimited(3);
  for (let beat = 0; beat < 6; beat += 1) {
    relay.pass(10);
    for (let replay = 0; replay < 10; replay += 1)
      expect((await session.event("SESSION_DURING", bearer(session.token))).status).toBe(201);
  }
  // One minute is used up, not ten.
  expect((await relay.start()).status).toBe(201);
});

test("requests that are replayed after the end count nothing", async () => {
  const { relay, session } = await runLimited(1);
  relay.pass(20);
  await session.event("SESSION_END");
  for (let replay = 0; replay < 20; replay += 1) {
    relay.pass(10);
    expect(await (await session.event("SESSION_DURING")).json()).toMatchObject({ terminate: true });
  }
  expect((await relay.start()).status).toBe(201);
});

test("the time of a session without reports to the relay is taken from the service's record", async () => {
  const { relay, session } = await runLimited(1);
  for (let beat = 0; beat < 7; beat += 1) {
    relay.pass(10);
    await relay.running.event(session.id, "SESSION_DURING");
  }
  expect(await failure(await relay.start())).toBe("403 quota_exceeded");
});

test("an end counts the time since the last heartbeat, and the refusal names the limit", async () => {
  const { relay, session } = await runLimited(1);
  relay.pass(61);
  await session.event("SESSION_END");
  const refused = (await (await relay.start()).json()) as object;
  expect(refused).toMatchObject({ errors: [{ code: "quota_exceeded", limit: "day" }] });
});

test("heartbeats say how much of the day is left, and end the session when it is used up", async () => {
  const { relay, session } = await runLimited(1);
  const answers: unknown[] = [];
  for (let beat = 0; beat < 7; beat += 1) {
    relay.pass(10);
    const answer = (await (await session.event("SESSION_DURING")).json()) as Record<string, unknown>;
    answers.push(answer["terminate"] ? answer["terminate_reason"] : answer["time_left_sec"]);
  }
  expect(answers.slice(0, 6)).toEqual([50, 40, 30, 20, 10, "SESSION_EVENT_DAY_LIMIT_REACHED"]);
  expect(await relay.running.status(session.id)).toMatchObject({
    termination_reason: "GRACEFUL_TERMINATION",
  });
});

test("the smaller of the session's and the day's time is told", async () => {
  const { relay } = await runLimited(10);
  await relay.changeContext((context) => void (context.max_session_sec = 90));
  const answer = await (await relay.open({ mode: "text" })).event("SESSION_START");
  expect(await answer.json()).toMatchObject({ time_left_sec: 90 });
});
