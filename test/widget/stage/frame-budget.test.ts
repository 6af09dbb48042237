import { expect, test } from "vitest";
import { FrameBudget } from "../../../src/widget/stage/adapt-picture.ts";

/** A page with a processor: frames arrive 25 times a second, and each pixel that is drawn costs its time. */
class Page {
  nowMs = 0;
  drawn = 0;
  readonly seen: string[] = [];
  readonly budget = new FrameBudget();

  /** Runs for so long with a processor that needs `fullMs` for a full frame. */
  run(seconds: number, fullMs: number): void {
    for (const endMs = this.nowMs + seconds * 1_000; this.nowMs < endMs; this.nowMs += 40) {
      if (!this.budget.isDue(this.nowMs)) continue;
      this.drawn++;
      const costMs = fullMs * this.budget.quality.scale ** 2;
      if (this.budget.add(costMs, this.nowMs + costMs)) this.seen.push(this.budget.quality.name);
    }
  }
}

test("frames that cost little are all drawn", () => {
  const page = new Page();
  page.run(60, 8);
  expect(page.seen).toEqual([]);
  expect(page.drawn).toBe(60 * 25);
});

test("frames that cost too much become fewer, then smaller, then a still picture", () => {
  const page = new Page();
  page.run(20, 20);
  expect(page.seen).toEqual(["fewer-frames"]);
  page.run(20, 32);
  expect(page.seen).toEqual(["fewer-frames", "half-size"]);
  page.run(20, 400);
  expect(page.seen).toEqual(["fewer-frames", "half-size", "still"]);
  const { drawn } = page;
  page.run(20, 400);
  expect(page.drawn).toBe(drawn);
});

test("fifteen frames a second are drawn of twenty-five", () => {
  const page = new Page();
  page.run(10, 20);
  const { drawn } = page;
  page.run(10, 14);
  expect(page.budget.quality.name).toBe("fewer-frames");
  expect((page.drawn - drawn) / 10).toBeCloseTo(15, 0);
});

test("the picture gets better again when there is room for it, and does not swing to and fro at one load", () => {
  const page = new Page();
  page.run(20, 32);
  expect(page.budget.quality.name).toBe("half-size");
  page.run(120, 32);
  expect(page.seen).toEqual(["fewer-frames", "half-size"]);
  page.run(30, 4);
  expect(page.seen).toEqual(["fewer-frames", "half-size", "fewer-frames", "full"]);
});

test("a still picture is tried again, each time after a longer wait while that fails", () => {
  const page = new Page();
  page.run(60, 400);
  expect(page.budget.pauseMs).toBe(30_000);
  page.budget.retry();
  expect(page.budget.quality.name).toBe("half-size");
  page.run(10, 400);
  expect(page.budget.pauseMs).toBe(60_000);
});

test("nothing follows from a time without frames, such as that of a hidden page", () => {
  const page = new Page();
  page.run(1.9, 30);
  page.nowMs += 60_000;
  page.run(3.9, 30);
  expect(page.seen).toEqual([]);
});
