import { describe, expect, it } from "vitest";
import { VoiceClock } from "../../../src/widget/drawing/local/voice-clock.ts";

/** The clock's times in the page's frames. */
function read(clock: VoiceClock, fromMs: number, frames: number): number[] {
  return Array.from({ length: frames }, (_, frame) => clock.at(fromMs + frame * 16));
}

describe("the face's clock", () => {
  it("is behind the page's by the sound's delay from the first frame on", () => {
    const clock = new VoiceClock();
    clock.delayMs = 60;
    expect(clock.at(1_000)).toBe(940);
  });

  it("follows a small change of the delay slowly, and arrives", () => {
    const clock = new VoiceClock();
    clock.delayMs = 60;
    clock.at(1_000);
    clock.delayMs = 100;
    const times = read(clock, 1_016, 60);
    const steps = times.slice(1).map((time, i) => time - times[i]!);
    expect(Math.min(...steps)).toBeGreaterThan(14);
    expect(times.at(-1)).toBeCloseTo(1_016 + 59 * 16 - 100);
  });

  it("makes a great change good at once, and never goes back", () => {
    const clock = new VoiceClock();
    clock.delayMs = 50;
    const before = clock.at(1_000);
    clock.delayMs = 400;
    expect(clock.at(1_016)).toBe(before);
    expect(clock.at(2_000)).toBe(1_600);
  });
});
