import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MediaClock } from "../../../src/service/media/media-clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("the media clock", () => {
  it("ticks a hundred times a second", async () => {
    const clock = new MediaClock();
    let ticks = 0;
    clock.listen(() => ticks++);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ticks).toBeGreaterThanOrEqual(99);
    expect(ticks).toBeLessThanOrEqual(100);
  });

  it("makes up for a late turn, and gives up the time of a long stall", async () => {
    const clock = new MediaClock();
    let ticks = 0;
    let lostMs = 0;
    const real = performance.now.bind(performance);
    const now = vi.spyOn(performance, "now").mockImplementation(() => real() + lostMs);
    clock.listen(() => ticks++);
    await vi.advanceTimersByTimeAsync(100);
    lostMs += 60;
    await vi.advanceTimersByTimeAsync(100);
    expect(ticks).toBeGreaterThanOrEqual(25);
    lostMs += 5_000;
    const atStall = ticks;
    await vi.advanceTimersByTimeAsync(100);
    expect(ticks - atStall).toBeLessThanOrEqual(12);
    now.mockRestore();
  });

  it("rests when nobody listens, and starts again", async () => {
    const clock = new MediaClock();
    let ticks = 0;
    const stop = clock.listen(() => ticks++);
    await vi.advanceTimersByTimeAsync(30);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    const stopAgain = clock.listen(() => ticks++);
    await vi.advanceTimersByTimeAsync(30);
    expect(ticks).toBeGreaterThan(3);
    stopAgain();
  });
});
