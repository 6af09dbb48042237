import { expect, it } from "vitest";
import { SentFrames } from "../../../../src/service/media/pictures/sent-pictures.ts";

/** Which of these frames are sent: "s" is a still one, "m" one that differs; a sent one is written as a capital letter. */
function sent(frames: SentFrames, kinds: string): string {
  return Array.from(kinds, (kind) => (frames.take(kind === "s") ? kind.toUpperCase() : kind)).join("");
}

/** The chooser after the frames that are all sent at the beginning. */
function begun(): SentFrames {
  const frames = new SentFrames();
  sent(frames, "m".repeat(50));
  return frames;
}

it("sends every frame at the beginning", () => {
  expect(sent(new SentFrames(), "s".repeat(50))).toBe("S".repeat(50));
});

it("sends every third of equal frames", () => {
  expect(sent(begun(), "s".repeat(12))).toBe("ssSssSssSssS");
});

it("sends every frame that differs, and counts the gap from there", () => {
  expect(sent(begun(), "ssmmssssm")).toBe("ssMMssSsM");
});

it("begins again for a receiver that sees the video again", () => {
  const frames = begun();
  expect(sent(frames, "ss")).toBe("ss");
  frames.begin();
  expect(sent(frames, "ss")).toBe("SS");
});
