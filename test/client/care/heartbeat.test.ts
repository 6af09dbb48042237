import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Heartbeat, retryDelayMs } from "../../../src/client/care/heartbeat.ts";
import { RelayFault } from "../../../src/client/relay/relay-fault.ts";
import { VisavisError } from "../../../src/client/visavis-error.ts";
import type { SessionEvent, SessionEventKind } from "../../../src/protocol/session/session-event.ts";
import { eventAnswer } from "../relay-stand-in.ts";

let sent: string[];
/** Outcomes of the next reports, in order; an empty list means success. */
let outcomes: (Error | SessionEvent)[];
let heartbeat: Heartbeat;

const answerTo = (event: SessionEventKind): SessionEvent => eventAnswer(event) as SessionEvent;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  outcomes = [];
  heartbeat = new Heartbeat((event, _detail, keepalive) => {
    sent.push(keepalive ? `${event} keepalive` : event);
    const outcome = outcomes.shift() ?? answerTo(event);
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  });
});

afterEach(() => {
  heartbeat.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("sends a heartbeat every ten seconds from the start to the end", async () => {
  heartbeat.handleConnected();
  heartbeat.handleConnected();
  await vi.advanceTimersByTimeAsync(25_000);
  await heartbeat.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(["SESSION_START", "SESSION_DURING", "SESSION_DURING", "SESSION_END keepalive"]);
});

test("waits for a rate limit's reset before the next heartbeat", async () => {
  heartbeat.handleConnected();
  await vi.advanceTimersByTimeAsync(9_000);
  outcomes = [new RelayFault("rate_limited", "Slow down.", 429, 30_000)];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toEqual(["SESSION_START", "SESSION_DURING"]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sent).toHaveLength(3);
});

test("retries a failed heartbeat within the backoff's maximum", async () => {
  heartbeat.handleConnected();
  await vi.advanceTimersByTimeAsync(9_000);
  outcomes = [new VisavisError("network", "Gone."), new RelayFault("connection_failed", "Broken.", 503, 0)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.slice(0, 4)).toEqual(["SESSION_START", "SESSION_DURING", "SESSION_DURING", "SESSION_DURING"]);
});

test("takes a random backoff below a maximum that doubles up to fifteen seconds", () => {
  expect(retryDelayMs(1, 0)).toBe(0);
  expect([1, 2, 3, 4, 5, 9].map((failures) => retryDelayMs(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test("reports once that the service no longer knows the session, and sends nothing after that", async () => {
  const lost: number[] = [];
  heartbeat.events.on("lost", (fault) => lost.push(fault.status));
  heartbeat.handleConnected();
  await vi.advanceTimersByTimeAsync(9_000);
  outcomes = [new RelayFault("session_lost", "Gone.", 404, 0)];
  await vi.advanceTimersByTimeAsync(30_000);
  await heartbeat.end();
  expect(lost).toEqual([404]);
  expect(sent).toEqual(["SESSION_START", "SESSION_DURING"]);
});

test("sends the end after a start that is still being sent", async () => {
  let arrive = (): void => undefined;
  const slow = new Heartbeat(async (event) => {
    if (event === "SESSION_START") await new Promise<void>((resolve) => (arrive = resolve));
    sent.push(event);
    return answerTo(event);
  });
  slow.handleConnected();
  const ended = slow.end();
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([]);
  arrive();
  await ended;
  expect(sent).toEqual(["SESSION_START", "SESSION_END"]);
});

test("sends the end at once when the page is closed", () => {
  heartbeat.handleConnected();
  void heartbeat.end(true);
  expect(sent).toContain("SESSION_END keepalive");
});

test("asks whether the session has ended, also before its start was reported", async () => {
  const reasons: string[] = [];
  heartbeat.events.on("terminated", ({ reason }) => reasons.push(reason));
  const reason = "SESSION_EVENT_GRACEFUL_TERMINATION";
  outcomes = [{ ...answerTo("SESSION_START"), terminate: true, terminate_reason: reason }];
  await heartbeat.beatNow();
  expect([sent, reasons]).toEqual([["SESSION_START"], [reason]]);
});
