import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { limitSignal, TimeLimit, within } from "../../src/timing/time-limit.ts";

/** Answers each message at once, and then says in the shared memory that it has. */
const script = `
const { parentPort, workerData } = require("node:worker_threads");
parentPort.on("message", (message) => {
  parentPort.postMessage(message);
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
});
`;

describe("a limit in a busy process", () => {
  const hasAnswered = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker;

  beforeAll(async () => {
    worker = new Worker(script, { eval: true, workerData: hasAnswered });
    await ask();
  });
  afterAll(() => worker.terminate());

  function ask(): Promise<string> {
    Atomics.store(hasAnswered, 0, 0);
    const answer = new Promise<string>((resolve) => worker.once("message", resolve));
    worker.postMessage("answer");
    return answer;
  }

  /** Lets nothing run in this thread for so long, and until the other one has answered. */
  function stall(ms: number): void {
    Atomics.wait(hasAnswered, 0, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }

  test("an answer that arrived before the late timer is not late", async () => {
    const answer = within(5, ask(), () => "late");
    stall(50);
    expect(await answer).toBe("answer");
  });

  test("a timer that was hardly late looks once more as well", async () => {
    const answer = within(5, ask(), () => "late");
    stall(6);
    expect(await answer).toBe("answer");
  });

  test("no signal is aborted for it", async () => {
    const signal = limitSignal(60_000);
    const short = new AbortController();
    const limit = new TimeLimit(5, () => short.abort());
    const answer = ask().finally(() => limit.end());
    stall(50);
    await answer;
    await new Promise(setImmediate);
    expect([signal.aborted, short.signal.aborted]).toEqual([false, false]);
  });
});

test("a limit that was held up waits once more, for as long as it was late", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const over = vi.fn();
  new TimeLimit(1_000, over);
  // The clock goes on while no timer runs.
  const now = vi.spyOn(performance, "now");
  now.mockReturnValue(performance.now() + 1_400);
  await vi.advanceTimersByTimeAsync(1_399);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(over).toHaveBeenCalledOnce());
  now.mockRestore();
  vi.useRealTimers();
});

test("a silent other side is late", async () => {
  const silent = new Promise<string>(() => undefined);
  expect(await within(5, silent, () => "late")).toBe("late");
  const failure = within(5, silent, () => {
    throw new Error("late");
  });
  await expect(failure).rejects.toThrow("late");
  const signal = limitSignal(5);
  await vi.waitFor(() => expect(signal.aborted).toBe(true));
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("what fails in time fails with its own reason", async () => {
  await expect(within(60_000, Promise.reject(new Error("refused")), () => "late")).rejects.toThrow("refused");
});
