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

  it("catches up after a late tick, and skips the time of a long stall", async () => {
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

  it("ticks ahead of blocking work, and keeps its mean rate", async () => {
    const clock = new MediaClock();
    let ticks = 0;
    let late = 0;
    clock.listen((_tick, isLate) => {
      ticks++;
      if (isLate) late++;
    });
    await vi.advanceTimersByTimeAsync(100);
    const before = ticks;
    const during = clock.ahead(60, () => ticks);
    expect(during - before).toBe(6);
    // Only necessary work is done ahead: no pictures.
    expect(late).toBe(6);
    await vi.advanceTimersByTimeAsync(60);
    expect(ticks - during).toBeLessThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(840);
    expect(ticks).toBeGreaterThanOrEqual(99);
    expect(ticks).toBeLessThanOrEqual(100);
  });

  it("only runs the work while nothing listens", () => {
    expect(new MediaClock().ahead(60, () => "done")).toBe("done");
  });

  it("stops when nothing listens, and starts again", async () => {
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
