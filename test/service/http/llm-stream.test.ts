import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { answerEvents } from "../answer-events.ts";
import { instructions, runService } from "../service-fixture.ts";

const question = { messages: [{ role: "user", content: "How much is the Alder chair?" }] };

function piece(content: string): LlmStreamEvent {
  return { status: "success", type: "message", role: "assistant", content };
}

const finish: LlmStreamEvent = { status: "success", type: "finish", role: "assistant", content: "" };

function modelOf(answer: (turn: Turn) => AsyncGenerator<LlmStreamEvent>) {
  const model: LanguageModel = { answer };
  return { languageModel: () => model };
}

async function* twoPieces() {
  yield piece("One. ");
  await Promise.resolve();
  yield piece("Two.");
}

test("each event ends with one line break, or with a blank line if the standard format is requested", async () => {
  const run = await runService(modelOf(twoPieces));
  const path = `/api/v1/session/${await run.newSession()}/llm/v2/`;
  const events = [piece("One. "), piece("Two."), finish].map((event) => `data: ${JSON.stringify(event)}`);
  const plain = await run.send("POST", path, question);
  expect(plain.headers.get("content-type")).toBe("text/event-stream");
  expect(await plain.text()).toBe(`${events.join("\n")}\n`);
  const standard = await run.send("POST", path, question, { Accept: "text/event-stream" });
  expect(await standard.text()).toBe(`${events.join("\n\n")}\n\n`);
});

test("a content in parts, as in the chat-completion style, is one text", async () => {
  const turns: Turn[] = [];
  const run = await runService(
    modelOf(async function* (turn) {
      turns.push(turn);
      yield await Promise.resolve(piece("ok"));
    }),
  );
  const content = ["How much is it?", "In euros."].map((text) => ({ type: "text", text }));
  const path = `/api/v1/session/${await run.newSession()}/llm/v2/`;
  const response = await run.send("POST", path, { messages: [{ role: "user", content }] });
  expect(await response.text()).toContain("ok");
  expect(turns[0]?.messages.at(-1)).toMatchObject({ content: "How much is it?\nIn euros." });
});

test("the model gets the session's own system prompt and the history as sent", async () => {
  const turns: Turn[] = [];
  const run = await runService(
    modelOf(async function* (turn) {
      turns.push(turn);
      yield await Promise.resolve(piece("ok"));
    }),
  );
  await (await run.send("POST", `/api/v1/session/${await run.newSession()}/llm/v2/`, question)).text();
  expect(turns[0]).toMatchObject({ systemPrompt: instructions, messages: question.messages, tools: [] });
});

test("an error before the first event gives an error status; a later one ends the stream", async () => {
  const early = await runService(
    modelOf(async function* () {
      await Promise.reject(new Error("no engine"));
      yield piece("never");
    }),
  );
  const failed = await early.send("POST", `/api/v1/session/${await early.newSession()}/llm/v2/`, question);
  expect(failed.status).toBe(500);
  const late = await runService(
    modelOf(async function* () {
      yield piece("One. ");
      await Promise.resolve();
      throw new Error("engine gone");
    }),
  );
  const response = await late.send("POST", `/api/v1/session/${await late.newSession()}/llm/v2/`, question);
  const asSent = await response.clone().text();
  const events = await answerEvents(response);
  expect(events.map(({ status }) => status)).toEqual(["success", "error"]);
  expect(asSent).not.toContain("engine gone");
});

test("the last event is finish, except after a call for the client or an error", async () => {
  const call = { id: "c1", type: "function" as const, function: { name: "open_page", arguments: "{}" } };
  const calls: LlmStreamEvent = {
    status: "success",
    type: "tool_call",
    role: "assistant",
    content: "",
    tool_calls: [call],
  };
  const fault: LlmStreamEvent = { status: "error", reason: "The language model failed." };
  for (const last of [calls, fault]) {
    const run = await runService(
      modelOf(async function* () {
        yield await Promise.resolve(piece("One. "));
        yield last;
      }),
    );
    const path = `/api/v1/session/${await run.newSession()}/llm/v2/`;
    expect(await answerEvents(await run.send("POST", path, question))).toEqual([piece("One. "), last]);
  }
  const run = await runService();
  const path = `/api/v1/session/${await run.newSession()}/llm/v2/`;
  expect((await answerEvents(await run.send("POST", path, question))).at(-1)).toMatchObject(finish);
});

test.each([false, true])(
  "an answer that the client aborts is not logged as a failure (the model fails then: %s)",
  async (failsAfterwards) => {
    const ended: Promise<void>[] = [];
    const run = await runService(
      modelOf(async function* ({ signal }) {
        let isOver = (): void => undefined;
        ended.push(new Promise((resolve) => (isOver = resolve)));
        try {
          while (!signal?.aborted) {
            yield piece("and ");
            await new Promise(setImmediate);
          }
          if (failsAfterwards) throw new Error("engine gone");
        } finally {
          isOver();
        }
      }),
    );
    const server = await listen((request, environment) => run.service.app.fetch(request, environment), 0);
    onTestFinished(() => server.close(100));
    const url = `http://127.0.0.1:${server.port}/api/v1/session/${await run.newSession()}/llm/v2/`;
    for (let turn = 0; turn < 5; turn++) {
      const abort = new AbortController();
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify(question);
      const response = await fetch(url, { method: "POST", headers, body, signal: abort.signal });
      await response.body!.getReader().read();
      abort.abort();
      await ended[turn];
    }
    // Log lines about the end are written before the next turn of the event loop.
    await new Promise(setImmediate);
    expect(run.lines.filter(({ level }) => level !== "info")).toEqual([]);
  },
);

test("the model's work ends when the client disconnects", async () => {
  const signals: AbortSignal[] = [];
  const run = await runService(
    modelOf(async function* (turn) {
      signals.push(turn.signal!);
      for (;;) yield await Promise.resolve(piece("and "));
    }),
  );
  const response = await run.send("POST", `/api/v1/session/${await run.newSession()}/llm/v2/`, question);
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  expect(signals[0]?.aborted).toBe(true);
});

test.each([
  [{}, "messages", "required"],
  [{ messages: [] }, "messages", "invalid"],
  [{ messages: [{ role: "system", content: "x" }] }, "messages.0.role", "invalid_choice"],
  [{ messages: [{ role: "developer", content: "x" }] }, "messages.0.role", "invalid_choice"],
  [{ messages: [{ role: "user" }] }, "messages.0.content", "required"],
  [{ messages: [{ role: "user", content: [] }] }, "messages.0.content", "invalid"],
  [{ messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages.0.content", "invalid"],
])("%j is refused", async (body, attr, code) => {
  const run = await runService();
  const response = await run.send("POST", `/api/v1/session/${await run.newSession()}/llm/v2/`, body);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toContainEqual(
    expect.objectContaining({ attr, code }),
  );
});

test("a session without a language model has no answer", async () => {
  const run = await runService();
  const session = await run.newSession({ capability: ["TTS"], prompt: undefined, llm_type: undefined });
  expect((await run.send("POST", `/api/v1/session/${session}/llm/v2/`, question)).status).toBe(400);
});
