import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../../src/protocol/answers/llm-stream.ts";
import type { Turn } from "../../../../../src/service/language/language-model.ts";
import { reasonOf, said, textOf } from "../../answer-parts.ts";
import { answerOf, ask, modelAt, modelWith, settingsOf, turn } from "./chat-client.ts";
import { calling, type ChatAnswer, chunk, refuses, runChatServer, saying, streams } from "./chat-server.ts";

/** Sends the stream in separate pieces of the given number of bytes. */
function inPieces(text: string, bytes: number): ChatAnswer {
  return async (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.socket?.setNoDelay(true);
    const whole = Buffer.from(text);
    for (let start = 0; start < whole.length; start += bytes) {
      response.write(whole.subarray(start, start + bytes));
      await setImmediate();
    }
    response.end();
  };
}

/** Begins an answer, and says no more. */
const begins =
  (text: string, finish: string | null = null): ChatAnswer =>
  (response) =>
    void response.writeHead(200).write(chunk({ content: text }, finish));

test("the request carries the system prompt first, the history as sent, model, key and settings", async () => {
  const server = await runChatServer(streams(saying("480 euros.")));
  const model = modelAt(server.url, {
    ...{ api_key: "sk-1", temperature: 0.3, headers: { "X-Team": "shop" } },
    extra_body: { max_completion_tokens: 200, stream: false },
  });
  const messages: Turn["messages"] = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi." },
    { role: "user", content: "How much is it?" },
  ];
  const variables = { page: "chairs", vip: true };
  expect(textOf(await ask(model, { messages, variables }))).toBe("480 euros.");
  const [request] = server.requests;
  expect(request).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-1", "x-team": "shop", "content-type": "application/json" },
    body: { model: "m1", stream: true, temperature: 0.3, max_completion_tokens: 200 },
  });
  const unchecked = /Nobody has checked it.*\n\{"page":"chairs","vip":true\}\n\nHello$/;
  expect(request?.body.messages).toEqual([
    { role: "system", content: "You sell chairs." },
    { role: "user", content: expect.stringMatching(unchecked) as unknown },
    ...messages.slice(1),
  ]);
  expect(request?.body).not.toHaveProperty("tools");
});

test("an Azure address keeps its query and gets its key in its own header", async () => {
  const server = await runChatServer(streams(saying("ok")));
  const engine = {
    base_url: `${server.url}/deployments/d1/?api-version=2024`,
    ...{ model: "m", api_key_env: "MISTRAL_API_KEY" },
  };
  await ask(modelWith(settingsOf("azure", engine, { MISTRAL_API_KEY: "k2" })));
  expect(server.requests[0]).toMatchObject({
    path: "/v1/deployments/d1/chat/completions?api-version=2024",
    headers: { "api-key": "k2" },
  });
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

test.each([
  ["openai", "https://api.openai.com/v1/chat/completions"],
  ["google", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"],
  ["anthropic", "https://api.anthropic.com/v1/chat/completions"],
])("%s needs no address", (service, url) => {
  expect(settingsOf(service, { model: "m" })?.url).toBe(url);
});

test.each([
  ["onpremise", { model: "m" }],
  ["azure", { model: "m" }],
  ["openai", null],
  ["openai", {}],
  ["openai", { model: "m", api_key_env: "NOT_SET" }],
  ["openai", { model: "m", base_url: "file:///etc/passwd" }],
  ["openai", { model: "m", temperature: "hot" }],
])("%s with %j is not available", (service, engine) => {
  expect(settingsOf(service, engine)).toBeNull();
});

describe("streams", () => {
  const spoken = "Der Stuhl kostet 480 €. 의자는 480유로입니다. 🪑 Schön!";
  test.each([1, 3, 64])(
    "arrive completely in pieces of %i bytes, also with split characters",
    async (bytes) => {
      const answer = inPieces(saying(...spoken.split(/(?<= )/)), bytes);
      expect(textOf(await answerOf(answer))).toBe(spoken);
    },
  );

  test("may contain comments, other fields, carriage returns and invalid chunks", async () => {
    const lines = saying("One. ", "Two.").replaceAll("\n", "\r\n");
    const noisy = `: keep-alive\r\n\r\nevent: message\r\nid: 4\r\n${lines}`;
    const answer = inPieces(`data: {broken\n\ndata: 42\n\n${noisy}`, 5);
    expect(textOf(await answerOf(answer))).toBe("One. Two.");
  });

  test.each([
    ["may end without the end mark if a finish reason was sent", streams(chunk({ content: "Yes." }, "stop"))],
    ["that stay open after the last words do not delay the answer", begins("Yes.", "stop")],
  ])("%s", async (_what, answer) => {
    expect(await answerOf(answer)).toEqual([said("Yes.")]);
  });
});

describe("tool calls", () => {
  const call = (id: string, args = "{}") => ({
    ...{ id, type: "function" as const, function: { name: "open_page", arguments: args } },
  });

  test("are assembled from their parts and sent after the text", async () => {
    const calls = calling(
      { id: "a", name: "open_page", args: { path: "/chairs/ä" } },
      { id: "b", name: "open_page", args: "" },
    );
    const server = await runChatServer(inPieces(chunk({ content: "Look. " }) + calls, 9));
    const tools: Turn["tools"] = [
      { type: "function", function: { name: "open_page", description: "", parameters: { type: "object" } } },
    ];
    expect(await ask(modelAt(server.url), { tools })).toEqual([
      said("Look. "),
      {
        ...{ status: "success", type: "tool_call", role: "assistant", content: "" },
        tool_calls: [call("a", '{"path":"/chairs/ä"}'), call("b")],
      },
    ]);
    expect(server.requests[0]?.body.tools).toEqual(tools);
  });

  test("of servers that send no index are distinguished by their ids", async () => {
    const part = (id: string, args: string) =>
      chunk({ tool_calls: [{ id, function: { name: "open_page", arguments: args } }] });
    const all = await answerOf(streams(`${part("a", '{"n":1}')}${part("b", '{"n":2}')}${chunk({}, "stop")}`));
    expect(all[0]).toMatchObject({ tool_calls: [call("a", '{"n":1}'), call("b", '{"n":2}')] });
  });

  test("in the history are sent with their results; those of interrupted turns are left out", async () => {
    const server = await runChatServer(streams(saying("ok")));
    const opened = { role: "tool" as const, content: "opened", tool_call_id: "a" };
    await ask(modelAt(server.url), {
      messages: [
        { role: "user", content: "Open it" },
        { role: "assistant", type: "tool_call", content: "", tool_calls: [call("a"), call("lost")] },
        { ...opened, type: "tool_call" },
        { role: "tool", content: "whose?", tool_call_id: "nobody" },
        { role: "assistant", content: "", tool_calls: [call("also-lost")] },
        { role: "user", content: "Thanks" },
      ],
    });
    expect(server.requests[0]?.body.messages.slice(1)).toEqual([
      { role: "user", content: "Open it" },
      { role: "assistant", content: null, tool_calls: [call("a")] },
      opened,
      { role: "assistant", content: "[Interrupted by the visitor.]" },
      { role: "user", content: "Thanks" },
    ]);
  });
});

describe("errors are sent as error events with a plain reason", () => {
  test.each([
    [429, "busy"],
    [503, "busy"],
    [500, "failed"],
    [502, "failed"],
    [401, "not available"],
    [404, "not available"],
    [413, "too long"],
    [400, "not available"],
    [302, "cannot be reached"],
  ])("status %i: %s", async (status, reason) => {
    const moved: ChatAnswer = (response) =>
      void response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end();
    const all = await answerOf(status === 302 ? moved : refuses(status));
    expect(all).toEqual([{ status: "error", reason: expect.stringContaining(reason) as string }]);
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  const breaks: ChatAnswer = (response) => {
    response.writeHead(200).write(chunk({ content: "It costs " }), () => response.destroy());
  };
  const endless: ChatAnswer = (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write("data: ".padEnd(65_536, "x")));
    };
    response.on("drain", more);
    more();
  };
  const [slow, broken] = ["did not answer in time. Ask again.", "The answer was interrupted. Ask again."];
  test.each<[when: string, answer: ChatAnswer, text: string, reason: string, engine?: object]>([
    ["the server sends nothing", () => undefined, "", slow, { first_byte_sec: 0.05 }],
    ["the server stops sending in the middle", begins("It costs "), "It costs ", slow, { idle_sec: 0.05 }],
    ["the connection breaks", breaks, "It costs ", broken],
    ["the stream ends in the middle", streams(chunk({ content: "It costs " })), "It costs ", broken],
    [
      "the stream contains an error",
      streams(`${chunk({ content: "It " })}data: {"error":{"message":"secret detail"}}\n\n`),
      ...(["It ", "The language model failed. Ask again."] as const),
    ],
    ["the answer is empty", streams(saying()), "", "no answer"],
    ["the answer is not a stream", streams("<html>Welcome</html>"), "", "not understood"],
    ["a line never ends", endless, "", "not understood"],
  ])("when %s; the text so far stays", async (_when, answer, text, reason, engine) => {
    const all = await answerOf(answer, engine);
    expect([textOf(all), reasonOf(all)]).toEqual([text, expect.stringContaining(reason)]);
    expect(all.at(-1)?.status).toBe("error");
  });

  test("when nothing listens at the address", async () => {
    const reason = "The language model cannot be reached.";
    expect(await ask(modelAt("http://127.0.0.1:9/v1"))).toEqual([{ status: "error", reason }]);
  });
});

test("aborting a turn ends the call to the engine, without an event", async () => {
  const server = await runChatServer(begins("It "));
  const abort = new AbortController();
  const all: LlmStreamEvent[] = [];
  for await (const event of modelAt(server.url).answer({ ...turn, signal: abort.signal })) {
    all.push(event);
    abort.abort();
  }
  expect(all).toEqual([said("It ")]);
  await server.closed();
});

test("leaving the answer's loop early ends the call to the engine", async () => {
  const server = await runChatServer(begins("It "));
  for await (const event of modelAt(server.url).answer(turn)) if (event.status === "success") break;
  await server.closed();
});
