import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../../src/protocol/answers/llm-stream.ts";
import { createChatModel } from "../../../../../src/service/language/engines/chat-completions/chat-model.ts";
import {
  chatEngineSettingsSchema,
  chatSettingsOf,
} from "../../../../../src/service/language/engines/chat-completions/chat-settings.ts";
import type { LanguageModel, Turn } from "../../../../../src/service/language/language-model.ts";
import type { Logger } from "../../../../../src/logging/logger.ts";
import { calling, type ChatAnswer, chunk, refuses, runChatServer, saying, streams } from "./chat-server.ts";

const lines: unknown[] = [];
const record = (...line: unknown[]) => void lines.push(line);
const log: Logger = { debug: record, info: record, warn: record, error: record };

function modelAt(url: string, engine: Record<string, unknown> = {}): LanguageModel {
  const settings = settingsOf("onpremise", { base_url: url, model: "m1", ...engine });
  return createChatModel(settings!, { fetch, log });
}

/** How the server of an LLM type is called, by its settings before parsing. */
function settingsOf(service: string, engine: object | null, environment: Record<string, string> = {}) {
  const parsed = chatEngineSettingsSchema.safeParse(engine ?? {});
  return parsed.success ? chatSettingsOf(service, parsed.data, environment) : null;
}

const turn: Turn = {
  systemPrompt: "You sell chairs.",
  messages: [{ role: "user", content: "How much is it?" }],
  tools: [],
};

async function events(model: LanguageModel, asked: Partial<Turn> = {}): Promise<LlmStreamEvent[]> {
  const all: LlmStreamEvent[] = [];
  for await (const event of model.answer({ ...turn, ...asked })) all.push(event);
  return all;
}

const said = (all: LlmStreamEvent[]): string =>
  all.map((event) => (event.status === "success" && event.type === "message" ? event.content : "")).join("");

async function answerOf(answer: ChatAnswer, engine: Record<string, unknown> = {}): Promise<LlmStreamEvent[]> {
  const { url } = await runChatServer(answer);
  return events(modelAt(url, engine));
}

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

test("the request carries the system prompt first, the history as sent, model, key and settings", async () => {
  const server = await runChatServer(streams(saying("480 euros.")));
  const model = modelAt(server.url, {
    api_key: "sk-1",
    temperature: 0.3,
    headers: { "X-Team": "shop" },
    extra_body: { max_completion_tokens: 200, stream: false },
  });
  const messages: Turn["messages"] = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi." },
    { role: "user", content: "How much is it?" },
  ];
  expect(said(await events(model, { messages, variables: { page: "chairs", vip: true } }))).toBe(
    "480 euros.",
  );
  const [request] = server.requests;
  expect(request).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-1", "x-team": "shop", "content-type": "application/json" },
    body: { model: "m1", stream: true, temperature: 0.3, max_completion_tokens: 200 },
  });
  expect(request?.body.messages[0]).toEqual({ role: "system", content: "You sell chairs." });
  expect(request?.body.messages[1]).toMatchObject({
    role: "user",
    content: expect.stringMatching(
      /Nobody has checked it.*\n\{"page":"chairs","vip":true\}\n\nHello$/,
    ) as unknown,
  });
  expect(request?.body.messages.slice(2)).toEqual(messages.slice(1));
  expect(request?.body).not.toHaveProperty("tools");
});

test("an Azure address keeps its query and gets its key in its own header", async () => {
  const server = await runChatServer(streams(saying("ok")));
  const engine = {
    base_url: `${server.url}/deployments/d1/?api-version=2024`,
    model: "m",
    api_key_env: "MISTRAL_API_KEY",
  };
  const settings = settingsOf("azure", engine, { MISTRAL_API_KEY: "k2" });
  await events(createChatModel(settings!, { fetch, log }));
  expect(server.requests[0]).toMatchObject({
    path: "/v1/deployments/d1/chat/completions?api-version=2024",
    headers: { "api-key": "k2" },
  });
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

test.each([
  ["openai", { model: "m" }, "https://api.openai.com/v1/chat/completions"],
  ["google", { model: "m" }, "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"],
  ["anthropic", { model: "m" }, "https://api.anthropic.com/v1/chat/completions"],
] as const)("%s needs no address", (service, engine, url) => {
  expect(settingsOf(service, engine)?.url).toBe(url);
});

test.each([
  ["onpremise", { model: "m" }],
  ["azure", { model: "m" }],
  ["openai", null],
  ["openai", {}],
  ["openai", { model: "m", api_key_env: "NOT_SET" }],
  ["openai", { model: "m", base_url: "file:///etc/passwd" }],
  ["openai", { model: "m", temperature: "hot" }],
] as const)("%s with %j is not available", (service, engine) => {
  expect(settingsOf(service, engine)).toBeNull();
});

describe("streams", () => {
  const spoken = "Der Stuhl kostet 480 €. 의자는 480유로입니다. 🪑 Schön!";
  test.each([1, 2, 3, 7, 64])(
    "arrive completely in pieces of %i bytes, also with split characters",
    async (bytes) => {
      expect(said(await answerOf(inPieces(saying(...spoken.split(/(?<= )/)), bytes)))).toBe(spoken);
    },
  );

  test("may contain comments, other fields, carriage returns and invalid chunks", async () => {
    const noisy = `: keep-alive\r\n\r\nevent: message\r\nid: 4\r\n${saying("One. ", "Two.").replaceAll("\n", "\r\n")}`;
    expect(said(await answerOf(inPieces(`data: {broken\n\ndata: 42\n\n${noisy}`, 5)))).toBe("One. Two.");
  });

  test("may end without the end mark if a finish reason was sent", async () => {
    const all = await answerOf(streams(chunk({ content: "Yes." }) + chunk({}, "stop")));
    expect(said(all)).toBe("Yes.");
    expect(all).toHaveLength(1);
  });

  test("that stay open after the last words do not delay the answer", async () => {
    const all = await answerOf((response) => {
      response.writeHead(200).write(chunk({ content: "Yes." }, "stop"));
    });
    expect(all).toEqual([{ status: "success", type: "message", role: "assistant", content: "Yes." }]);
  });
});

describe("tool calls", () => {
  const tools: Turn["tools"] = [
    { type: "function", function: { name: "open_page", description: "", parameters: { type: "object" } } },
  ];

  test("are assembled from their parts and sent after the text", async () => {
    const calls = calling(
      { id: "a", name: "open_page", args: { path: "/chairs/ä" } },
      { id: "b", name: "open_page", args: "" },
    );
    const server = await runChatServer(inPieces(chunk({ content: "Look. " }) + calls, 9));
    expect(await events(modelAt(server.url), { tools })).toEqual([
      { status: "success", type: "message", role: "assistant", content: "Look. " },
      {
        status: "success",
        type: "tool_call",
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "a", type: "function", function: { name: "open_page", arguments: '{"path":"/chairs/ä"}' } },
          { id: "b", type: "function", function: { name: "open_page", arguments: "{}" } },
        ],
      },
    ]);
    expect(server.requests[0]?.body.tools).toEqual(tools);
  });

  test("of servers that send no index are distinguished by their ids", async () => {
    const part = (id: string, args: string) =>
      chunk({ tool_calls: [{ id, function: { name: "open_page", arguments: args } }] });
    const all = await answerOf(streams(`${part("a", '{"n":1}')}${part("b", '{"n":2}')}${chunk({}, "stop")}`));
    expect(all[0]).toMatchObject({
      tool_calls: [
        { id: "a", function: { arguments: '{"n":1}' } },
        { id: "b", function: { arguments: '{"n":2}' } },
      ],
    });
  });

  test("in the history are sent with their results; those of interrupted turns are left out", async () => {
    const server = await runChatServer(streams(saying("ok")));
    const call = (id: string) => ({
      id,
      type: "function" as const,
      function: { name: "open_page", arguments: "{}" },
    });
    await events(modelAt(server.url), {
      messages: [
        { role: "user", content: "Open it" },
        { role: "assistant", type: "tool_call", content: "", tool_calls: [call("a"), call("lost")] },
        { role: "tool", type: "tool_call", content: "opened", tool_call_id: "a" },
        { role: "tool", content: "whose?", tool_call_id: "nobody" },
        { role: "assistant", content: "", tool_calls: [call("also-lost")] },
        { role: "user", content: "Thanks" },
      ],
    });
    expect(server.requests[0]?.body.messages.slice(1)).toEqual([
      { role: "user", content: "Open it" },
      { role: "assistant", content: null, tool_calls: [call("a")] },
      { role: "tool", content: "opened", tool_call_id: "a" },
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
    const answer: ChatAnswer =
      status === 302
        ? (response) => void response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end()
        : refuses(status);
    const all = await answerOf(answer);
    expect(all).toEqual([{ status: "error", reason: expect.stringContaining(reason) as string }]);
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  test("when nothing listens at the address", async () => {
    expect(await events(modelAt("http://127.0.0.1:9/v1"))).toEqual([
      { status: "error", reason: "The language model cannot be reached." },
    ]);
  });

  test("when the server sends nothing", async () => {
    expect(await answerOf(() => undefined, { first_byte_sec: 0.05 })).toEqual([
      { status: "error", reason: "The language model did not answer in time. Ask again." },
    ]);
  });

  test("when the server stops sending in the middle; the text so far stays", async () => {
    const stalls: ChatAnswer = (response) =>
      void response.writeHead(200).write(chunk({ content: "It costs " }));
    const all = await answerOf(stalls, { idle_sec: 0.05 });
    expect(said(all)).toBe("It costs ");
    expect(all.at(-1)).toMatchObject({
      status: "error",
      reason: expect.stringContaining("in time") as string,
    });
  });

  test("when the connection breaks; the text so far stays", async () => {
    const breaks: ChatAnswer = (response) => {
      response.writeHead(200).write(chunk({ content: "It costs " }), () => response.destroy());
    };
    const all = await answerOf(breaks);
    expect(said(all)).toBe("It costs ");
    expect(all.at(-1)).toEqual({ status: "error", reason: "The answer was interrupted. Ask again." });
  });

  test("when the stream ends in the middle", async () => {
    const all = await answerOf(streams(chunk({ content: "It costs " })));
    expect(all.at(-1)).toEqual({ status: "error", reason: "The answer was interrupted. Ask again." });
  });

  test("when the stream contains an error", async () => {
    const all = await answerOf(
      streams(`${chunk({ content: "It " })}data: {"error":{"message":"secret detail"}}\n\n`),
    );
    expect(all.at(-1)).toEqual({ status: "error", reason: "The language model failed. Ask again." });
  });

  test("when the answer is empty or not a stream", async () => {
    expect(await answerOf(streams(saying()))).toMatchObject([{ status: "error" }]);
    expect(await answerOf(streams("<html>Welcome</html>"))).toMatchObject([{ status: "error" }]);
  });

  test("when a line never ends", async () => {
    const endless: ChatAnswer = (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write("data: ".padEnd(65_536, "x")));
      };
      response.on("drain", more);
      more();
    };
    expect(await answerOf(endless)).toMatchObject([
      { status: "error", reason: expect.stringContaining("not understood") as string },
    ]);
  });
});

test("aborting a turn ends the call to the engine, without an event", async () => {
  const server = await runChatServer(
    (response) => void response.writeHead(200).write(chunk({ content: "It " })),
  );
  const abort = new AbortController();
  const all: LlmStreamEvent[] = [];
  for await (const event of modelAt(server.url).answer({ ...turn, signal: abort.signal })) {
    all.push(event);
    abort.abort();
  }
  expect(said(all)).toBe("It ");
  expect(all).toHaveLength(1);
  await server.closed();
});

test("leaving the answer's loop early ends the call to the engine", async () => {
  const server = await runChatServer(
    (response) => void response.writeHead(200).write(chunk({ content: "It " })),
  );
  for await (const event of modelAt(server.url).answer(turn)) if (event.status === "success") break;
  await server.closed();
});
