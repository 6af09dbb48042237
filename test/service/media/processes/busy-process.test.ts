import { expect, test } from "vitest";
import { isBusy } from "../../../../src/service/media/processes/busy-process.ts";

function sessions(video: number, others: number): { hasVideo: boolean }[] {
  return [...Array<object>(video + others).keys()].map((index) => ({ hasVideo: index < video }));
}

test("a process is busy with more than eight sessions a core, of which one with video counts as four", () => {
  expect(isBusy(sessions(0, 8), 1)).toBe(false);
  expect(isBusy(sessions(0, 9), 1)).toBe(true);
  expect(isBusy(sessions(2, 0), 1)).toBe(false);
  expect(isBusy(sessions(2, 1), 1)).toBe(true);
  expect(isBusy(sessions(2, 1), 2)).toBe(false);
});
