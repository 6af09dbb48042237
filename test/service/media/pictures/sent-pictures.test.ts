import { beforeEach, expect, it } from "vitest";
import { SentFrames, SentPictures } from "../../../../src/service/media/pictures/sent-pictures.ts";
import type { VideoFrame } from "../../../../src/service/media/wrtc.ts";

const frame: VideoFrame = { width: 2, height: 2, data: new Uint8Array(6) };

let pictures: SentPictures;
let drawn: number;
let sent: number;
let isSeen: boolean;
let isWatched: boolean;
let isStill: boolean;

beforeEach(() => {
  [drawn, sent] = [0, 0];
  [isSeen, isWatched, isStill] = [true, true, false];
  pictures = new SentPictures({
    isSeen: () => isSeen,
    isStill: () => isStill,
    draw: () => (isWatched ? (drawn++, frame) : undefined),
    send: () => sent++,
  });
});

const ticks = (count: number): void => {
  for (let index = 0; index < count; index++) pictures.tick(index % 4 === 0, false);
};

it("draws and sends a picture at the ticks at which one is due", () => {
  ticks(40);
  expect([drawn, sent]).toEqual([10, 10]);
});

it("draws one picture before the connection, and the next at its beginning", () => {
  isSeen = false;
  ticks(40);
  expect(drawn).toBe(1);
  isSeen = true;
  pictures.begin();
  expect([drawn, sent]).toEqual([2, 2]);
});

it("lets a picture wait while the clock catches up, and shows it at the next tick with time", () => {
  pictures.tick(true, true);
  pictures.tick(false, true);
  expect(drawn).toBe(0);
  pictures.tick(false, false);
  pictures.tick(false, false);
  expect(drawn).toBe(1);
});

it("draws nothing for a client that watches none, and goes on when it does", () => {
  isWatched = false;
  ticks(40);
  isWatched = true;
  ticks(4);
  expect([drawn, sent]).toEqual([1, 1]);
});

it("leaves out equal pictures after the beginning", () => {
  ticks(200);
  isStill = true;
  ticks(24);
  expect([drawn, sent]).toEqual([56, 52]);
});

/** Which of these frames are sent: "s" is a still one, "m" one that differs; a sent one is written as a capital letter. */
function sentOf(frames: SentFrames, kinds: string): string {
  return Array.from(kinds, (kind) => (frames.take(kind === "s") ? kind.toUpperCase() : kind)).join("");
}

/** The chooser after the frames that are all sent at the beginning. */
function begun(): SentFrames {
  const frames = new SentFrames();
  sentOf(frames, "m".repeat(50));
  return frames;
}

it.each([
  ["every frame at the beginning", new SentFrames(), "s".repeat(50), "S".repeat(50)],
  ["every third of equal frames", begun(), "s".repeat(12), "ssSssSssSssS"],
  ["every frame that differs, and counts the gap from there", begun(), "ssmmssssm", "ssMMssSsM"],
])("sends %s", (_what, frames, kinds, expected) => {
  expect(sentOf(frames, kinds)).toBe(expected);
});

it("begins again for a receiver that sees the video again", () => {
  const frames = begun();
  expect(sentOf(frames, "ss")).toBe("ss");
  frames.begin();
  expect(sentOf(frames, "ss")).toBe("SS");
});
