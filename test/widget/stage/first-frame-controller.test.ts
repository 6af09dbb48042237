import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FirstFrameController } from "../../../src/widget/stage/first-frame-controller.ts";

const reached = vi.fn();
const host = {
  addController: vi.fn(),
  removeController: vi.fn(),
  requestUpdate: reached,
  updateComplete: Promise.resolve(true),
};
let firstFrame: FirstFrameController;

beforeEach(() => {
  vi.useFakeTimers();
  reached.mockClear();
  firstFrame = new FirstFrameController(host, 400);
});

afterEach(() => {
  vi.useRealTimers();
});

it("ends the wait shortly after the first frame, once", () => {
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

it("stops waiting for a frame after a limit, so that the visitor gets the controls", () => {
  firstFrame.wait();
  vi.advanceTimersByTime(200);
  firstFrame.wait();
  vi.advanceTimersByTime(199);
  expect(firstFrame.over).toBe(false);
  vi.advanceTimersByTime(1);
  expect(firstFrame.over).toBe(true);
});

it("stops when its element leaves the page", () => {
  firstFrame.wait();
  firstFrame.hostDisconnected();
  vi.advanceTimersByTime(1_000);
  expect(reached).not.toHaveBeenCalled();
});
