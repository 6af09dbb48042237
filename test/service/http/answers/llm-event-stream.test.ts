import { expect, test, vi } from "vitest";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import { llmEventStream } from "../../../../src/service/http/answers/llm-event-stream.ts";
import { silentLogger } from "../../../../src/logging/logger.ts";

const said: LlmStreamEvent = { status: "success", type: "message", role: "assistant", content: "At nine." };

/** An answer that comes when it is told to. */
function laterAnswer(error?: Error) {
  let come = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (come = resolve));
  async function* answer(): AsyncGenerator<LlmStreamEvent> {
    await isReady;
    if (error) throw error;
    yield said;
  }
  return { answer: answer(), come: () => come() };
}

function answerAtOnce(error?: Error): AsyncGenerator<LlmStreamEvent> {
  const { answer, come } = laterAnswer(error);
  come();
  return answer;
}

const open = (answer: AsyncIterable<LlmStreamEvent>, abort = new AbortController()) =>
  llmEventStream(answer, { end: "\n\n", log: silentLogger, pauseMs: 10, abort });

/** Everything of a stream whose answer comes after this many comments. */
async function textAfter(
  comments: number,
  { answer, come }: ReturnType<typeof laterAnswer>,
): Promise<string> {
  const reader = (await open(answer)).getReader();
  let text = "";
  for (;;) {
    if (text.split("waiting").length > comments) come();
    const { done, value } = await reader.read();
    if (done) return text;
    text += Buffer.from(value).toString();
  }
}

test("comments say in each pause that the answer is still to come", async () => {
  expect(await textAfter(2, laterAnswer())).toMatch(/^(?:: waiting\n\n){2,}data: .*At nine.*\n\n$/);
});

test("the first comment comes with the headers, after one pause", async () => {
  vi.useFakeTimers();
  try {
    const { answer } = laterAnswer();
    const opening = llmEventStream(answer, { end: "\n\n", log: silentLogger, abort: new AbortController() });
    await vi.advanceTimersByTimeAsync(5_000);
    const reader = (await opening).getReader();
    let first = "";
    void reader.read().then(({ value }) => (first = Buffer.from(value ?? []).toString()));
    await vi.advanceTimersByTimeAsync(100);
    expect(first).toBe(": waiting\n\n");
    await reader.cancel();
  } finally {
    vi.useRealTimers();
  }
});

test("an answer that begins at once has none", async () => {
  expect(await new Response(await open(answerAtOnce())).text()).toBe(`data: ${JSON.stringify(said)}\n\n`);
});

test("an error before the first pause is no stream; a later one ends it", async () => {
  await expect(open(answerAtOnce(new Error("gone")))).rejects.toThrow("gone");
  expect(await textAfter(1, laterAnswer(new Error("gone")))).toMatch(
    /waiting\n\ndata: .*"status":"error".*\n\n$/,
  );
});

test("what ends the stream ends the answer, also while it is waited for", async () => {
  const abort = new AbortController();
  const stream = await open(laterAnswer().answer, abort);
  await stream.cancel();
  expect(abort.signal.aborted).toBe(true);
});
