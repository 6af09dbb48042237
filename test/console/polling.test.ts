import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { Polling } from "../../src/console/api/polling.ts";

const host: ReactiveControllerHost = {
  addController: (_controller: ReactiveController) => undefined,
  removeController: () => undefined,
  requestUpdate: () => undefined,
  updateComplete: Promise.resolve(true),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page in the document that counts how often it was read. `answer`: how long each reading takes. */
function poll(intervalMs: { value: number | null }, takesMs = 0): { polling: Polling; count: () => number } {
  let count = 0;
  const act = async (): Promise<void> => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, takesMs));
  };
  const polling = new Polling(host, act, () => intervalMs.value);
  polling.hostConnected();
  polling.hostUpdated();
  return { polling, count: () => count };
}

test("an interval that becomes shorter counts at once", async () => {
  const interval = { value: 30_000 };
  const { polling, count } = poll(interval);
  interval.value = 4_000;
  polling.hostUpdated();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(count()).toBe(1);
});

test("updates of the page do not put off the next time", async () => {
  const { polling, count } = poll({ value: 4_000 });
  for (let time = 0; time < 3; time++) {
    await vi.advanceTimersByTimeAsync(1_500);
    polling.hostUpdated();
  }
  expect(count()).toBe(1);
});

test("the next time begins when the last one has ended", async () => {
  const { polling, count } = poll({ value: 1_000 }, 5_000);
  await vi.advanceTimersByTimeAsync(5_500);
  polling.hostUpdated();
  expect(count()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(count()).toBe(2);
});

test("nothing is read while nothing is to be followed, after the page has left, or while it is hidden", async () => {
  const interval: { value: number | null } = { value: 1_000 };
  const { polling, count } = poll(interval);
  interval.value = null;
  polling.hostUpdated();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(count()).toBe(0);
  interval.value = 1_000;
  polling.hostUpdated();
  vi.stubGlobal("document", { hidden: true });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(count()).toBe(0);
  vi.stubGlobal("document", { hidden: false });
  polling.hostDisconnected();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(count()).toBe(0);
});
