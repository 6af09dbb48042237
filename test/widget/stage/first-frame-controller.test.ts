import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FirstFrame } from "../../../src/widget/stage/first-frame-controller.ts";

const reached = vi.fn();
let firstFrame: FirstFrame;

beforeEach(() => {
  vi.useFakeTimers();
  reached.mockClear();
  firstFrame = new FirstFrame(reached, 400);
});

afterEach(() => {
  vi.useRealTimers();
});

it("lets the rest come a moment after the first frame, once", () => {
  firstFrame.wait();
  vi.advanceTimersByTime(150);
  firstFrame.handleFrame();
  expect(reached).not.toHaveBeenCalled();
  expect(firstFrame.over).toBe(false);
  vi.advanceTimersByTime(100);
  expect(firstFrame.over).toBe(true);
  firstFrame.wait();
  firstFrame.handleFrame();
  vi.advanceTimersByTime(1_000);
  expect(reached).toHaveBeenCalledOnce();
});

it("does not wait longer for a frame than a visitor would for the rest", () => {
  firstFrame.wait();
  vi.advanceTimersByTime(200);
  firstFrame.wait();
  vi.advanceTimersByTime(199);
  expect(firstFrame.over).toBe(false);
  vi.advanceTimersByTime(1);
  expect(firstFrame.over).toBe(true);
});

it("is silent once stopped", () => {
  firstFrame.wait();
  firstFrame.stop();
  vi.advanceTimersByTime(1_000);
  expect(reached).not.toHaveBeenCalled();
});
