import { describe, expect, test } from "vitest";
import fc from "fast-check";
import type { LlmStreamEvent } from "../../../../../src/protocol/answers/llm-stream.ts";
import {
  AnswerText,
  type TextHabits,
} from "../../../../../src/service/language/engines/chat-completions/answer-text.ts";
import { createChatModel } from "../../../../../src/service/language/engines/chat-completions/chat-model.ts";
import {
  chatEngineSettingsSchema,
  chatSettingsOf,
} from "../../../../../src/service/language/engines/chat-completions/chat-settings.ts";
import type { LanguageModel, Turn } from "../../../../../src/service/language/language-model.ts";
import type { Logger } from "../../../../../src/logging/logger.ts";
import { answerWithTools } from "../../../../../src/service/language/mcp/tool-loop.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import { chunk, runChatServer, saying, streams, type ChatAnswer, type ChatServer } from "./chat-server.ts";

/** What the model's log says, for the owner. */
type Line = Record<string, unknown>;

const call = createOutboundCalls({ allowPrivate: true }).engine({ isOperators: true });

function modelAt({ url }: ChatServer, engine: object = {}, lines: Line[] = []): LanguageModel {
  const given = chatEngineSettingsSchema.parse({ base_url: url, model: "m", ...engine });
  const ignore = (): void => undefined;
  const log: Logger = {
    ...{ debug: ignore, info: ignore, error: ignore },
    warn: (text, fields) => void lines.push({ text, ...fields }),
  };
  const fetch: typeof call = (url, request) => call(url, { ...request, timeoutMs: 60_000 });
  return createChatModel(chatSettingsOf("onpremise", given, {})!, { fetch, log });
}

const turn: Turn = { systemPrompt: "S", messages: [{ role: "user", content: "When?" }], tools: [] };
const search = { type: "function" as const, function: { name: "search", description: "", parameters: {} } };

async function events(model: LanguageModel, asked: Partial<Turn> = {}): Promise<LlmStreamEvent[]> {
  const all: LlmStreamEvent[] = [];
  for await (const event of model.answer({ ...turn, ...asked })) all.push(event);
  return all;
}

const textOf = (all: readonly LlmStreamEvent[]): string =>
  all.map((event) => (event.status === "success" && event.type === "message" ? event.content : "")).join("");

const callsOf = (all: readonly LlmStreamEvent[]) =>
  all.flatMap((event) =>
    event.status === "success" && event.type === "tool_call" && event.role === "assistant"
      ? event.tool_calls.map(({ function: { name, arguments: text } }) => [name, JSON.parse(text) as unknown])
      : [],
  );

const reasonOf = (all: readonly LlmStreamEvent[]): string =>
  all.map((event) => (event.status === "error" ? event.reason : "")).join("");

const asJson = (value: unknown, spaces?: number): ChatAnswer => {
  const text = JSON.stringify(value, null, spaces);
  return (response) => void response.writeHead(200, { "Content-Type": "application/json" }).end(text);
};

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const done = "data: [DONE]\n\n";
const words = ["It opens ", "at nine. ", "It closes at six."];
const whole = words.join("");
const message = { role: "assistant", content: whole };
const pieces = words.map((content) => chunk({ content }));

describe("an answer is understood", () => {
  test.each<[string, ChatAnswer]>([
    ["whole, although a stream was asked for", asJson({ choices: [{ message, finish_reason: "stop" }] })],
    ["whole and indented", asJson({ choices: [{ message, finish_reason: "stop" }] }, 2)],
    ["as a message instead of a delta", streams(data({ choices: [{ message, finish_reason: "stop" }] }))],
    ["as the older protocol's text", streams(data({ choices: [{ text: whole, finish_reason: "stop" }] }))],
    ["as lines of JSON", streams(pieces.map((piece) => piece.slice(6).trim()).join("\n"))],
    [
      "as JSON over several data lines",
      streams(
        pieces
          .map((piece) => JSON.stringify(JSON.parse(piece.slice(6)), null, 1).replace(/^/gm, "data: "))
          .join("\n\n"),
      ),
    ],
    [
      "without a space or a blank line",
      streams(pieces.map((piece) => `data:${piece.slice(6, -2)}\n`).join("")),
    ],
    ["after a byte order mark", streams(`\ufeff${pieces.join("")}${done}`)],
    [
      "beside a line that is no JSON",
      streams(`${pieces[0]!}data: {not json\n\n${pieces.slice(1).join("")}${done}`),
    ],
    [
      "in parts, of which thoughts are left out",
      streams(
        chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "plan" }] }] }) +
          words.map((text) => chunk({ content: [{ type: "text", text }] })).join("") +
          done,
      ),
    ],
    [
      "beside an alternative to it",
      streams(
        words
          .map((content) =>
            data({
              choices: [
                { index: 1, delta: { content: "OTHER " } },
                { index: 0, delta: { content } },
              ],
            }),
          )
          .join("") + done,
      ),
    ],
    [
      "with wrong fields beside it",
      streams(words.map((content) => chunk({ content, tool_calls: "x" })).join("") + done),
    ],
    ["without an end mark, after its last sentence", streams(pieces.join(""))],
  ])("%s", async (_name, answer) => {
    expect(await events(modelAt(await runChatServer(answer)))).toSatisfy(
      (all: LlmStreamEvent[]) => textOf(all) === whole && reasonOf(all) === "",
    );
  });
});

describe("thoughts are not shown", () => {
  test.each([
    ["between tags that are cut", ["<th", "ink>\n", "It asks <b>. ", "</thi", "nk>\n\n", ...words]],
    ["between other tags", ["<thinking>", "plan", "</thinking>", ...words]],
    ["in capitals", ["<THINK>plan</THINK>", ...words]],
    ["that begin in the template", ["It asks for hours.\n", "</think>", "\n\n", ...words]],
    [
      "in channels",
      [
        "<|channel|>analysis<|message|>plan<|end|>",
        "<|start|>assistant<|channel|>final<|message|>",
        ...words,
      ],
    ],
    ["in brackets", ["[THINK]plan[/THINK]", ...words]],
    ["nor are the template's marks", [...words, "<|im_end|>"]],
  ])("%s", async (_name, texts) => {
    const all = await events(modelAt(await runChatServer(streams(saying(...texts)))));
    expect([textOf(all), reasonOf(all)]).toEqual([whole, ""]);
  });

  test("nor is an answer that is nothing else", async () => {
    const all = await events(
      modelAt(await runChatServer(streams(chunk({ content: "<think>long" }) + chunk({}, "length")))),
    );
    expect([textOf(all), reasonOf(all)]).toEqual(["", expect.stringContaining("no answer")]);
  });

  test("and what a model's texts begin with is remembered, so that later ones are held back until their end", async () => {
    const slow: ChatAnswer = (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(chunk({ content: "It asks. " }));
      setTimeout(() => response.end(saying("So nine.</think>", whole)), 30);
    };
    const model = modelAt(await runChatServer(streams(saying("It asks.</think>", whole)), slow));
    expect(textOf(await events(model))).toBe(whole);
    expect(textOf(await events(model))).toBe(whole);
    const named = modelAt(await runChatServer(slow), { model: "some-r1:8b" });
    expect(textOf(await events(named))).toBe(whole);
  });

  test("wherever the text is cut, what is seen of it is the same", () => {
    const texts = [
      "One.",
      "<think>",
      "</think>",
      "<b>",
      "<tool_call>",
      '{"name":"search"}',
      "</tool_call>",
      "<",
      "\n",
    ];
    const seen = (parts: readonly string[]): string => {
      const habits: TextHabits = { beginsInThoughts: false };
      const reader = new AnswerText(habits, { mayThink: false, mayCall: true });
      let text = "";
      for (const part of parts) {
        const read = reader.add(part);
        text = (read.wereThoughts ? "" : text) + read.text;
      }
      return text + reader.end().text;
    };
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...texts), { maxLength: 12 }),
        fc.array(fc.nat(60), { maxLength: 8 }),
        (chosen, cuts) => {
          const text = chosen.join("");
          const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort(
            (a, b) => a - b,
          );
          const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
          expect(seen(parts)).toBe(seen([text]));
        },
      ),
      { examples: [[["\n", '{"name":"search"}', "One."], [1]]] },
    );
  });
});

describe("calls are understood", () => {
  const chair = '{"query":"chair"}';
  const table = '{"query":"table"}';
  const part = (fields: object): string => chunk({ tool_calls: [fields] });
  const one = [["search", { query: "chair" }]];
  const two = [...one, ["search", { query: "table" }]];
  test.each<[string, string, unknown]>([
    [
      "several with the same index",
      part({ index: 0, id: "a", function: { name: "search", arguments: chair } }) +
        part({ index: 0, id: "b", function: { name: "search", arguments: table } }),
      two,
    ],
    [
      "arguments as an object",
      part({ index: 0, id: "a", function: { name: "search", arguments: { query: "chair" } } }),
      one,
    ],
    ["of the older protocol", chunk({ function_call: { name: "search", arguments: chair } }), one],
    [
      "with a namespace",
      part({ index: 0, id: "a", function: { name: "functions.search", arguments: chair } }),
      one,
    ],
    [
      "written as text",
      chunk({ content: `<tool_call>\n{"name": "search", "arguments": ${chair}}\n</tool_call>` }),
      one,
    ],
    ["written as bare JSON", chunk({ content: `{"name": "search", "parameters": ${chair}}` }), one],
    [
      "written as tags",
      chunk({
        content: "<tool_call><function=search><parameter=query>chair</parameter></function></tool_call>",
      }),
      one,
    ],
    ...[
      `<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>chair</arg_value>\n</tool_call>`,
      `[TOOL_CALLS][{"name": "search", "arguments": ${chair}}]`,
      `[TOOL_CALLS]search[CALL_ID]abc123[ARGS]${chair}`,
      `[TOOL_CALLS]search${chair}</s>`,
      `<|python_tag|>{"name": "search", "parameters": ${chair}}<|eom_id|>`,
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>${chair}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n\`\`\`json\n${chair}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ].map((content): [string, string, unknown] => [`written as ${content}`, chunk({ content }), one]),
    [
      "several written in one text",
      chunk({ content: `[TOOL_CALLS]search[ARGS]${chair}[TOOL_CALLS]search[ARGS]${table}` }),
      two,
    ],
    [
      "with a number as its id",
      part({ index: 0, id: 7, function: { name: "search", arguments: chair } }),
      one,
    ],
  ])("%s", async (_name, text, calls) => {
    const server = await runChatServer(streams(text + chunk({}, "stop") + done));
    const all = await events(modelAt(server), { tools: [search] });
    expect([callsOf(all), textOf(all), reasonOf(all)]).toEqual([calls, "", ""]);
  });

  test("JSON that is no call of an offered tool is an answer", async () => {
    const server = await runChatServer(streams(saying('{"price": ', "480}")));
    expect(textOf(await events(modelAt(server), { tools: [search] }))).toBe('{"price": 480}');
  });

  test("what a vendor adds to a call comes back with its result", async () => {
    const signed = {
      index: 0,
      id: "a",
      function: { name: "search", arguments: chair },
      extra_content: { signature: "s1" },
    };
    const server = await runChatServer(
      streams(part(signed) + chunk({}, "tool_calls") + done),
      streams(saying(whole)),
    );
    const toolbox = { definitions: [search], run: () => Promise.resolve({ text: "480" }) };
    for await (const _event of answerWithTools(modelAt(server), turn, toolbox));
    expect(server.requests[1]?.body.messages.find(({ tool_calls }) => tool_calls)?.tool_calls).toEqual([
      {
        id: "a",
        type: "function",
        function: { name: "search", arguments: chair },
        extra_content: { signature: "s1" },
      },
    ]);
  });

  test("a model that goes on calling although it may not is asked without tools", async () => {
    const calls: ChatAnswer = (response, { body }) =>
      void response
        .writeHead(200, { "Content-Type": "text/event-stream" })
        .end(
          body.tools
            ? part({ index: 0, id: "a", function: { name: "search", arguments: chair } }) +
                chunk({}, "tool_calls") +
                done
            : saying(whole),
        );
    const server = await runChatServer(calls);
    const toolbox = { definitions: [search], run: () => Promise.resolve({ text: "480" }) };
    const all: LlmStreamEvent[] = [];
    for await (const event of answerWithTools(modelAt(server), turn, toolbox)) all.push(event);
    expect([textOf(all), reasonOf(all)]).toEqual([whole, ""]);
  });
});

/** Refuses a request for as long as `isWrong`. */
const refusing =
  (status: number, body: unknown, isWrong: (body: Line) => boolean): ChatAnswer =>
  (response, request) =>
    isWrong(request.body)
      ? void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body))
      : void streams(saying(whole))(response, request);

describe("what a server refuses is left out, and not sent to it again", () => {
  test.each<[string, ChatAnswer, object]>([
    [
      "stream_options",
      refusing(
        400,
        { error: { message: "Unrecognized request argument supplied: stream_options" } },
        (body) => "stream_options" in body,
      ),
      {},
    ],
    [
      "stream_options, told as a list",
      refusing(
        422,
        { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] },
        (body) => "stream_options" in body,
      ),
      {},
    ],
    ["stream_options, told vaguely", refusing(400, {}, (body) => "stream_options" in body), {}],
    [
      "temperature",
      refusing(
        400,
        { error: { message: "'temperature' does not support 0.2 with this model." } },
        (body) => "temperature" in body,
      ),
      { temperature: 0.2 },
    ],
    [
      "max_tokens",
      refusing(
        400,
        { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } },
        (body) => "max_tokens" in body || !("max_completion_tokens" in body),
      ),
      { extra_body: { max_tokens: 100 } },
    ],
    ["tools", refusing(400, { error: "gemma:2b does not support tools" }, (body) => "tools" in body), {}],
    [
      "the system role",
      refusing(400, { error: { message: "System role not supported" } }, ({ messages }) =>
        (messages as { role: string }[]).some(({ role }) => role === "system"),
      ),
      {},
    ],
  ])("%s", async (name, answer, engine) => {
    const server = await runChatServer(answer);
    const lines: Line[] = [];
    const model = modelAt(server, engine, lines);
    expect(textOf(await events(model, { tools: [search] }))).toBe(whole);
    expect(lines).toMatchObject([
      { text: "language model refused a field", field: name.replace(/,.*|the | role/g, "") },
    ]);
    expect(textOf(await events(model, { tools: [search] }))).toBe(whole);
    expect(server.requests).toHaveLength(3);
  });

  test("but not the tools because of one that is wrong", async () => {
    const wrong = { error: { message: "Invalid schema for function 'search': type must be object" } };
    const server = await runChatServer(refusing(400, wrong, () => true));
    expect(reasonOf(await events(modelAt(server), { tools: [search] }))).toContain("not available");
    expect(server.requests).toHaveLength(1);
  });
});

describe("the owner reads what the server says about an error, and the visitor does not", () => {
  test.each<[string, ChatAnswer, Line]>([
    [
      "in a list",
      refusing(400, [{ error: { message: "API key not valid. Please pass a valid API key." } }], () => true),
      { code: "refused", status: 400, detail: "API key not valid. Please pass a valid API key." },
    ],
    [
      "with its key masked",
      refusing(401, { error: { message: "Incorrect API key provided: sk-proj-12345abc" } }, () => true),
      { status: 401, detail: "Incorrect API key provided: …" },
    ],
    [
      "with status 200",
      streams(data({ object: "error", message: "model not loaded" })),
      { code: "failed", detail: "model not loaded" },
    ],
    [
      "as an event of its own",
      streams(`event: error\n${data({ message: "boom" })}`),
      { code: "failed", detail: "boom" },
    ],
    ["as a detail", asJson({ detail: "Not Found" }), { code: "failed", detail: "Not Found" }],
    [
      "about money, which is not the length",
      refusing(402, { error: { message: "You exceeded your current quota." } }, () => true),
      { code: "refused", status: 402 },
    ],
    [
      "about the length",
      refusing(
        400,
        { error: { message: "This model's maximum context length is 8192 tokens." } },
        () => true,
      ),
      { code: "too_large", status: 400 },
    ],
    [
      "at length",
      refusing(500, "long ".repeat(100), () => true),
      { detail: expect.stringMatching(/^[^]{199}…$/) as unknown },
    ],
    [
      "by sending elsewhere",
      (response) => void response.writeHead(307, { location: "/other" }).end(),
      { code: "redirected" },
    ],
  ])("%s", async (_name, answer, line) => {
    const lines: Line[] = [];
    const all = await events(modelAt(await runChatServer(answer), {}, lines));
    expect(lines.at(-1)).toMatchObject(line);
    expect(reasonOf(all)).not.toBe("");
    const { detail } = line;
    if (typeof detail === "string") expect(reasonOf(all)).not.toContain(detail);
  });
});

test.each([
  ["length", "cut off"],
  ["content_filter", "filter"],
  ["error", "failed"],
])("an answer that ends by %s says so after its text", async (finish, reason) => {
  const server = await runChatServer(streams(chunk({ content: "It opens" }) + chunk({}, finish) + done));
  const all = await events(modelAt(server));
  expect([textOf(all), reasonOf(all)]).toEqual(["It opens", expect.stringContaining(reason)]);
});

test("what an error follows in the same packet is shown", async () => {
  const server = await runChatServer(streams(pieces[0]! + data({ error: { message: "overloaded" } })));
  const all = await events(modelAt(server));
  expect([textOf(all), reasonOf(all)]).toEqual([words[0], expect.stringContaining("failed")]);
});

test("roles are in turns, beginning with the visitor's, whatever was interrupted", async () => {
  const server = await runChatServer(streams(saying(whole)));
  await events(modelAt(server), {
    messages: [
      { role: "assistant", content: "Hello!" },
      { role: "user", content: "Where" },
      { role: "user", content: "When?" },
      { role: "assistant", content: "At nine." },
      { role: "assistant", content: "Or ten." },
      { role: "user", content: "Sure?" },
    ],
  });
  expect(server.requests[0]?.body.messages.map(({ role, content }) => [role, content])).toEqual([
    ["system", "S"],
    ["user", "[The visitor has opened the conversation.]"],
    ["assistant", "Hello!"],
    ["user", "Where\n\nWhen?"],
    ["assistant", "At nine.\n\nOr ten."],
    ["user", "Sure?"],
  ]);
});
