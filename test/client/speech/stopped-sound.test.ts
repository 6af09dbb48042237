import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Speech } from "../../../src/client/speech/speech.ts";
import { silenceStopped } from "../../../src/client/speech/stopped-sound.ts";

let speech: Speech;
let track: { enabled: boolean };
let element: { volume: number };
let stream: { getAudioTracks(): (typeof track)[] };

const stop = (): void => silenceStopped({ speech }, stream, { element, volume: 0.8 });

const speak = (text: string): void => {
  speech.enqueue({ entryId: "a", text, placeOf: (place) => place });
  speech.handleNotice({ message: text, duration: 600, words: [{ text, start: 0, end: 600 }] });
};

beforeEach(() => {
  vi.useFakeTimers();
  speech = new Speech();
  track = { enabled: true };
  element = { volume: 0.8 };
  stream = { getAudioTracks: () => [track] };
});

afterEach(() => {
  speech.reset();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("an avatar that is stopped fades out within 20 ms, and is heard when it speaks again", () => {
  speak("one");
  speech.stop();
  stop();
  const volumes = [element.volume];
  for (let ms = 5; ms < 20; ms += 5) {
    vi.advanceTimersByTime(5);
    volumes.push(element.volume);
  }
  expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
  expect(new Set(volumes).size).toBe(4);
  expect([volumes.at(-1), track.enabled]).toEqual([expect.closeTo(0, 6), false]);
  speak("two");
  expect([element.volume, track.enabled]).toEqual([0.8, true]);
});

test("one that is stopped where nothing can fade is silent at once", () => {
  silenceStopped({ speech }, stream, null);
  expect(track.enabled).toBe(false);
  vi.advanceTimersByTime(500);
});

test("what was on its way has arrived after half a second", () => {
  stop();
  vi.advanceTimersByTime(499);
  expect(track.enabled).toBe(false);
  vi.advanceTimersByTime(1);
  expect([element.volume, track.enabled]).toEqual([0.8, true]);
});

test("several texts that one interruption stops fade together, and the volume is what it was", () => {
  stop();
  vi.advanceTimersByTime(10);
  silenceStopped({ speech }, stream, { element, volume: element.volume });
  vi.advanceTimersByTime(490);
  expect([element.volume, track.enabled]).toEqual([0.8, true]);
});

test("a volume that is set while the sound fades stays", () => {
  stop();
  vi.advanceTimersByTime(5);
  element.volume = 0.3;
  vi.advanceTimersByTime(10);
  expect([element.volume, track.enabled]).toEqual([0.3, false]);
  vi.advanceTimersByTime(485);
  expect([element.volume, track.enabled]).toEqual([0.3, true]);
});

test("an avatar that speaks again while it fades is as loud as before", () => {
  speak("one");
  speech.stop();
  stop();
  vi.advanceTimersByTime(5);
  speak("two");
  vi.advanceTimersByTime(100);
  expect([element.volume, track.enabled]).toEqual([0.8, true]);
});
