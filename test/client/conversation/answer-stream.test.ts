import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamAnswer } from "../../../src/client/conversation/answering.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const finish = 'data: {"status":"success","type":"finish","role":"assistant","content":""}\n\n';
const piece = 'data: {"status":"success","type":"message","role":"assistant","content":"Yes."}\n\n';

/** Asks a service that answers after the delay. Resolves with the answer's text, or the error's message. */
const textAfter = (delayMs: number, line: { backSinceMs: number }): Promise<string> =>
  readText(
    (signal) =>
      new Promise((resolve, reject) => {
        setTimeout(() => resolve(new Response(piece + finish)), delayMs);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
    line,
  );

/** Resolves with the answer's text, or the error's message. */
async function readText(
  answer: (signal: AbortSignal) => Promise<Response>,
  line: { backSinceMs: number },
): Promise<string> {
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

test("waits for an answer whose headers come in time, however late its first word is", async () => {
  let write = (_text: string): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (write = (text) => controller.enqueue(new TextEncoder().encode(text))),
  });
  setTimeout(() => write(": waiting\n\n"), 14_000);
  setTimeout(() => write(piece + finish), 28_000);
  const late = readText(() => Promise.resolve(new Response(body)), { backSinceMs: 0 });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(await late).toBe("Yes.");
});

test("a page that stood still reads what came meanwhile before it gives up", async () => {
  const late = textAfter(10_500, { backSinceMs: 0 });
  const now = performance.now.bind(performance);
  // The timer of the limit fires first, 5 s too late.
  const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 5_000);
  await vi.advanceTimersByTimeAsync(11_000);
  later.mockRestore();
  expect(await late).toBe("Yes.");
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
