import { expect, test } from "vitest";
import { beginSpeaking, leaveSpeaking, type Speaker } from "../../../src/client/speech/speakers.ts";

const done: string[] = [];
const speaker = (name: string, begunAt: number): Speaker => ({
  begunAt,
  wait: () => done.push(`${name} waits`),
  goOn: () => done.push(`${name} goes on`),
});

/** What was done since the last call. */
const doneSince = (): string[] => done.splice(0);

test("the one that begins last speaks, and the one before it goes on when that one is done", () => {
  const [first, second, third] = [speaker("first", 1), speaker("second", 2), speaker("third", 3)];
  const speakers: Speaker[] = [];
  for (const each of [first, second, third]) beginSpeaking(speakers, each);
  expect(doneSince()).toEqual(["first waits", "second waits"]);
  leaveSpeaking(speakers, second);
  expect(doneSince()).toEqual([]);
  leaveSpeaking(speakers, third);
  expect(doneSince()).toEqual(["first goes on"]);
});

test("of two that begin at once in different frames, both frames let the same one speak", () => {
  // Each frame learns of its own avatar first.
  for (const order of [
    [1, 1.5],
    [1.5, 1],
  ]) {
    const speakers: Speaker[] = [];
    for (const begunAt of order) beginSpeaking(speakers, speaker(String(begunAt), begunAt));
    expect(speakers.at(-1)?.begunAt).toBe(1.5);
    expect(doneSince()).toEqual(["1 waits"]);
  }
});

test("one that says again that it speaks changes nothing", () => {
  const [first, second] = [speaker("first", 1), speaker("second", 2)];
  const speakers = [first, second];
  beginSpeaking(speakers, second);
  expect(speakers).toEqual([first, second]);
  expect(doneSince()).toEqual([]);
});
