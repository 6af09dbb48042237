import { expect, onTestFinished } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { jsonOf, refusalOf, statusOf } from "../answers.ts";
import { answerEvents } from "../answer-events.ts";
import { instructions, type RunningService, runService } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const question = { messages: [{ role: "user", content: "How much is the Alder chair?" }] };
const message = (content: string): LlmStreamEvent => ({
  ...{ status: "success", type: "message", role: "assistant", content },
});
const finish: LlmStreamEvent = { status: "success", type: "finish", role: "assistant", content: "" };

const ask = async (run: RunningService, body: object = question, headers: Record<string, string> = {}) =>
  run.send("POST", `/api/v1/session/${await run.newSession()}/llm/v2/`, body, headers);

/** A service whose model answers so. */
const runWith = (answer: (turn: Turn) => AsyncGenerator<LlmStreamEvent>) =>
  runService({ languageModel: () => ({ answer }) satisfies LanguageModel });

/** A service whose model answers with these events, and fails then if it is told to. */
const runSaying = (events: LlmStreamEvent[], failure?: Error) =>
  runWith(async function* () {
    for (const event of events) yield await Promise.resolve(event);
    if (failure) throw failure;
  });

test("each event ends with one line break, or with a blank line if the standard format is requested", async () => {
  const events = [message("One. "), message("Two.")];
  const run = await runSaying(events);
  const lines = [...events, finish].map((event) => `data: ${JSON.stringify(event)}`);
  const plain = await ask(run);
  expect(plain.headers.get("content-type")).toBe("text/event-stream");
  expect(await plain.text()).toBe(`${lines.join("\n")}\n`);
  const standard = await ask(run, question, { Accept: "text/event-stream" });
  expect(await standard.text()).toBe(`${lines.join("\n\n")}\n\n`);
});

test("the model gets the session's own system prompt and the history as sent; a content in parts is one text", async () => {
  const turns: Turn[] = [];
  const run = await runWith(async function* (turn) {
    turns.push(turn);
    yield await Promise.resolve(message("ok"));
  });
  const content = ["How much is it?", "In euros."].map((text) => ({ type: "text", text }));
  await (await ask(run)).text();
  await (await ask(run, { messages: [{ role: "user", content }] })).text();
  expect(turns).toMatchObject([
    { systemPrompt: instructions, messages: question.messages, tools: [] },
    { messages: [{ content: "How much is it?\nIn euros." }] },
  ]);
});

test("an error before the first event gives an error status; a later one ends the stream", async () => {
  const failure = new Error("engine gone");
  expect(await statusOf(ask(await runSaying([], failure)))).toBe(500);
  const response = await ask(await runSaying([message("One. ")], failure));
  const asSent = await response.clone().text();
  expect((await answerEvents(response)).map(({ status }) => status)).toEqual(["success", "error"]);
  expect(asSent).not.toContain("engine gone");
});

test("the last event is finish, except after a call for the client or an error", async ({ run }) => {
  const call = { id: "c1", type: "function" as const, function: { name: "open_page", arguments: "{}" } };
  const called = { type: "tool_call" as const, role: "assistant" as const, content: "", tool_calls: [call] };
  const fault: LlmStreamEvent = { status: "error", reason: "The language model failed." };
  for (const last of [{ status: "success" as const, ...called }, fault]) {
    const events = [message("One. "), last];
    expect(await answerEvents(await ask(await runSaying(events)))).toEqual(events);
  }
  expect((await answerEvents(await ask(run))).at(-1)).toMatchObject(finish);
});

test.for([false, true])(
  "an answer that the client aborts is not logged as a failure (the model fails then: %s)",
  async (failsAfterwards) => {
    const ended: Promise<void>[] = [];
    const run = await runWith(async function* ({ signal }) {
      let isOver = (): void => undefined;
      ended.push(new Promise((resolve) => (isOver = resolve)));
      try {
        while (!signal?.aborted) {
          yield message("and ");
          await new Promise(setImmediate);
        }
        if (failsAfterwards) throw new Error("engine gone");
      } finally {
        isOver();
      }
    });
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

const hello = { role: "user", content: "Hello" };
const tool = (name?: string, type = "function") => ({ type, function: { name, parameters: {} } });
const callWithoutFunction = { role: "assistant", content: "", tool_calls: [{ id: "a", type: "function" }] };

test.for<[body: object, fault: string]>([
  [{}, "messages required"],
  [{ messages: [] }, "messages invalid"],
  [{ messages: Array(501).fill(hello) }, "messages max_length"],
  [{ messages: [{ role: "system", content: "x" }] }, "messages.0.role invalid_choice"],
  [{ messages: [{ role: "developer", content: "x" }] }, "messages.0.role invalid_choice"],
  [{ messages: [{ role: "user" }] }, "messages.0.content required"],
  [{ messages: [{ role: "user", content: 5 }] }, "messages.0.content invalid"],
  [{ messages: [{ role: "user", content: null }] }, "messages.0.content null"],
  [{ messages: [{ role: "assistant", content: null, tool_calls: [] }] }, "messages.0.content null"],
  [{ messages: [{ role: "user", content: [] }] }, "messages.0.content invalid"],
  [{ messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages.0.content invalid"],
  [{ messages: [{ role: "user", content: "x".repeat(32_769) }] }, "messages.0.content max_length"],
  [{ messages: [callWithoutFunction] }, "messages.0.tool_calls.0.function required"],
  [{ messages: [hello], tools: "all" }, "tools invalid"],
  [{ messages: [hello], tools: Array(65).fill(tool("a")) }, "tools max_length"],
  [{ messages: [hello], tools: [tool()] }, "tools.0.function.name required"],
  [{ messages: [hello], tools: [tool("a b")] }, "tools.0.function.name invalid"],
  [{ messages: [hello], tools: [tool("a", "web")] }, "tools.0.type invalid_choice"],
  [{ messages: [hello], speech_rate: 2.5 }, "speech_rate max_value"],
])("%j is refused: %s", async ([body, fault], { run }) => {
  expect(await refusalOf(ask(run, body))).toEqual([400, fault]);
});

test("a session works from create through exchange, events and an answer to its normal end", async ({
  own: run,
}) => {
  const { id, tts_type, model_style } = run.demo;
  const fields = { prompt: id, llm_type: "visavis-retrieval", model_style, tts_type };
  const made = run.send("POST", "/api/v1/session/", { ...fields, extra_data: { context_id: "ctx_demo" } });
  const { session_id: sessionId, ...created } = await jsonOf<{ session_id: string }>(made);
  expect(created).toMatchObject({ status: "CREATED", capability: ["STF_WEBRTC"], padding_height: 1 });
  const path = `/api/v1/session/${sessionId}`;
  const offer = { client_sdp: { type: "offer", sdp: "v=0 offer" } };
  const exchanged = await jsonOf(run.send("POST", `${path}/exchange/`, offer));
  expect(exchanged).toEqual({ server_sdp: { type: "answer", sdp: "v=0 answer 1" } });
  const characterFile = "/srv/public/characters/mina.json";
  expect(run.media.exchanges).toMatchObject([{ sessionId, offerSdp: "v=0 offer", characterFile }]);
  for (const event of ["SESSION_START", "SESSION_DURING"])
    expect(await run.event(sessionId, event)).toMatchObject({ event, terminate: false });
  const answer = await run.send("POST", `${path}/llm/v2/`, question);
  expect(await answer.text()).toContain("The Alder reading chair costs 480 euros.");
  run.pass(42);
  const terminate_reason = "SESSION_EVENT_GRACEFUL_TERMINATION";
  expect(await run.event(sessionId, "SESSION_END")).toMatchObject({ terminate: true, terminate_reason });
  expect(run.media.closed).toEqual([sessionId]);
  expect(await run.status(sessionId)).toMatchObject({
    ...{ status: "TERMINATED", termination_reason: "GRACEFUL_TERMINATION", duration_sec: 42 },
    ...{ client_sdp: "v=0 offer", server_sdp: "v=0 answer 1", model_style: { name: "mina" } },
    prompt: { prompt_id: id, intro_message: "Hello, I'm Mara. What are you looking for today?" },
    capability: [{ name: "STF_WEBRTC" }],
  });
  const events = await jsonOf<{ event: string }[]>(run.get(`${path}/event/`));
  expect(events.map(({ event }) => event)).toEqual(["SESSION_START", "SESSION_DURING", "SESSION_END"]);
});
