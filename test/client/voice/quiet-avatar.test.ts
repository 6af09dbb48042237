import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Conversation } from "../../../src/client/conversation/conversation.ts";
import { BargeIn } from "../../../src/client/voice/turns/barge-in.ts";

interface Said {
  text: string;
}

let sent: unknown[];
let track: { enabled: boolean };
let element: { volume: number; srcObject: unknown };
let speech: {
  paused: Said[] | null;
  pause(): void;
  enqueue(utterance: Said): void;
  events: { on(): () => void };
} | null;
let said: string[];

class Stream {
  getAudioTracks() {
    return [track];
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("MediaStream", Stream);
  [sent, said] = [[], []];
  track = { enabled: true };
  element = { volume: 0.8, srcObject: new Stream() };
  speech = {
    paused: null,
    pause: () => {
      speech!.paused = [{ text: "the rest" }];
    },
    enqueue: ({ text }) => said.push(text),
    events: { on: () => () => undefined },
  };
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const line = { deliver: (message: unknown) => sent.push(message) > 0 };

function bargeInOf(parts: { line?: unknown; element?: unknown } = {}): BargeIn {
  const conversation = { speech, line: "line" in parts ? parts.line : line };
  return new BargeIn({
    conversation: conversation as unknown as Conversation,
    mediaElement: ("element" in parts ? parts.element : element) as HTMLMediaElement | null,
    volume: 0.8,
  });
}

test("the avatar becomes quiet while it is not sure whether the visitor speaks, and loud again", () => {
  const bargeIn = bargeInOf();
  bargeIn.duck();
  expect(element.volume).toBeCloseTo(0.12);
  bargeIn.unduck();
  expect(element.volume).toBe(0.8);
  // What somebody else has set stays.
  element.volume = 0.3;
  bargeIn.unduck();
  expect(element.volume).toBe(0.3);
  bargeInOf().unduck();
  expect(element.volume).toBe(0.3);
});

test("the avatar's stopped sound fades out, and is as loud as ever when it is heard again", () => {
  const bargeIn = bargeInOf();
  element.volume = 0.8;
  bargeIn.duck();
  bargeIn.pause();
  expect(sent).toEqual([{ type: "clear-buffer", data: {} }]);
  vi.advanceTimersByTime(20);
  expect([track.enabled, element.volume]).toEqual([false, expect.closeTo(0)]);
  bargeIn.unduck();
  expect(element.volume).toBeCloseTo(0);
  vi.advanceTimersByTime(500);
  expect([track.enabled, element.volume]).toEqual([true, 0.8]);
});

test("without a stream of sound the avatar is only stopped", () => {
  element.srcObject = null;
  const bargeIn = bargeInOf();
  bargeIn.duck();
  bargeIn.pause();
  expect([bargeIn.isPaused, element.volume, track.enabled]).toEqual([true, 0.8, true]);
});

test("the avatar says what it had not said when it goes on, once", () => {
  const bargeIn = bargeInOf();
  expect(bargeIn.isPaused).toBe(false);
  bargeIn.duck();
  bargeIn.pause();
  expect(bargeIn.isPaused).toBe(true);
  sent = [];
  element.srcObject = null;
  bargeIn.duck();
  bargeIn.goOn();
  expect([said, sent]).toEqual([["the rest"], [{ type: "ttstf", data: { message: "the rest" } }]]);
  expect([bargeIn.isPaused, element.volume]).toEqual([false, 0.8]);
  bargeIn.goOn();
  expect(said).toEqual(["the rest"]);
});

test("nothing is needed of a session that has no line, no speech or no element", () => {
  const silent = bargeInOf({ line: null, element: null });
  silent.duck();
  silent.pause();
  expect(silent.isPaused).toBe(true);
  silent.goOn();
  expect(said).toEqual(["the rest"]);
  speech = null;
  const mute = bargeInOf();
  expect(mute.isPaused).toBe(false);
  mute.pause();
  mute.goOn();
  expect(said).toEqual(["the rest"]);
});
