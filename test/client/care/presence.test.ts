import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Presence, type Pause } from "../../../src/client/care/presence.ts";

let host: {
  busy: boolean;
  told: (number | null)[];
  pauses: Pause[];
  ends: number;
};
let presence: Presence;

function start(idleSec: number): void {
  presence = new Presence(
    {
      get busy() {
        return host.busy;
      },
      pause: (pause) => host.pauses.push(pause),
      tell: (leftSec) => host.told.push(leftSec),
      end: () => host.ends++,
    },
    idleSec * 1_000,
  );
}

const pass = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1_000);
const unseen: Pause = { video: true, speech: true, audio: false };
const silent: Pause = { video: true, speech: true, audio: true };
const watched: Pause = { video: false, speech: false, audio: false };

beforeEach(() => {
  vi.useFakeTimers();
  host = { busy: false, told: [], pauses: [], ends: 0 };
});

afterEach(() => {
  presence.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("counts the last 20 s of the idle time down, then ends the session once", () => {
  start(180);
  pass(159);
  expect(host.told).toEqual([]);
  pass(1);
  expect(host.told).toEqual([20]);
  pass(20);
  expect(host.told).toEqual(Array.from({ length: 20 }, (_, second) => 20 - second));
  expect(host.ends).toBe(1);
});

test("a sign of the visitor during the countdown stops it, and begins the idle time again", () => {
  start(180);
  pass(165);
  presence.handleSign();
  expect(host.told.at(-1)).toBeNull();
  pass(159);
  expect([host.told.at(-1), host.ends]).toEqual([null, 0]);
  pass(21);
  expect(host.ends).toBe(1);
});

test("an avatar that speaks in sight is listened to", () => {
  start(60);
  host.busy = true;
  presence.look();
  pass(600);
  expect([host.told, host.ends]).toEqual([[], 0]);
  host.busy = false;
  presence.look();
  pass(41);
  expect(host.told.at(-1)).toBe(19);
});

test("out of sight, video and the next sentence are paused at once, all sound after 60 s, and the session ends after the idle time", () => {
  start(180);
  host.busy = true;
  presence.handleView(false);
  expect(host.pauses).toEqual([unseen]);
  pass(60);
  expect(host.pauses).toEqual([unseen, silent]);
  pass(119);
  expect([host.told, host.ends]).toEqual([[], 0]);
  pass(1);
  expect(host.ends).toBe(1);
});

test("back in sight everything goes on at once, and the visitor counts as there", () => {
  start(180);
  presence.handleView(false);
  pass(150);
  presence.handleView(true);
  expect(host.pauses.at(-1)).toEqual(watched);
  pass(159);
  expect([host.told, host.ends]).toEqual([[], 0]);
});

test("a page that slept longer than the idle time finds its session ended", () => {
  start(180);
  presence.handleView(false);
  vi.setSystemTime(Date.now() + 1);
  const { now } = performance;
  performance.now = () => now.call(performance) + 200_000;
  presence.handleView(true);
  performance.now = now;
  expect(host.ends).toBe(1);
});

test("a short idle time is counted down by half; without an idle time nothing ends, and nothing is sent unseen", () => {
  start(10);
  pass(5);
  expect(host.told).toEqual([5]);
  presence.stop();
  host.told = [];
  start(0);
  presence.handleView(false);
  pass(36_000);
  expect([host.told, host.ends, host.pauses.at(-1)]).toEqual([[], 0, silent]);
});

test("an idle time of years starts no endless row of timers", () => {
  start(2_147_483_647);
  pass(86_400);
  expect(host.ends).toBe(0);
});
