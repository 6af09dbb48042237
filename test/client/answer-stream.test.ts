import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamAnswer } from "../../src/client/answer-stream.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const finish = 'data: {"status":"success","type":"finish","role":"assistant","content":""}\n\n';
const piece = 'data: {"status":"success","type":"message","role":"assistant","content":"Yes."}\n\n';

/** Asks a service that answers after the delay. Resolves with the answer's text, or the error's message. */
async function textAfter(delayMs: number, line: { backSinceMs: number }): Promise<string> {
  const answer = (signal: AbortSignal): Promise<Response> =>
    new Promise((resolve, reject) => {
      setTimeout(() => resolve(new Response(piece + finish)), delayMs);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  let text = "";
  try {
    for await (const event of streamAnswer(answer, new AbortController().signal, line))
      if (event.type === "message") text += event.content;
    return text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const stopped = "The answer stopped in the middle. Ask again.";

test("gives up an answer that does not begin within 10 s", async () => {
  const late = textAfter(10_500, { backSinceMs: 0 });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await late).toBe(stopped);
});

test("does not count the time without a connection, and allows 15 s after it for TCP", async () => {
  const line = { backSinceMs: 0 };
  const late = textAfter(40_000, line);
  await vi.advanceTimersByTimeAsync(3_000);
  line.backSinceMs = Infinity;
  await vi.advanceTimersByTimeAsync(25_000);
  line.backSinceMs = performance.now();
  await vi.advanceTimersByTimeAsync(13_000);
  expect(await late).toBe("Yes.");
});

test("gives up an answer that has not begun 15 s after the connection came back", async () => {
  const line = { backSinceMs: Infinity };
  const late = textAfter(60_000, line);
  await vi.advanceTimersByTimeAsync(20_000);
  line.backSinceMs = performance.now();
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await late).toBe(stopped);
});
