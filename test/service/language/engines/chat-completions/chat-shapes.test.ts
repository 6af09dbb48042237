import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../../src/protocol/answers/llm-stream.ts";
import {
  AnswerText,
  type TextHabits,
} from "../../../../../src/service/language/engines/chat-completions/answer-text.ts";
import { answerWithTools } from "../../../../../src/service/language/mcp/tool-loop.ts";
import { eventsOf, reasonOf, textOf } from "../../answer-parts.ts";
import { answerOf, ask, type Line, modelAt, turn } from "./chat-client.ts";
import { type ChatAnswer, type ChatServer, chunk, runChatServer, saying, streams } from "./chat-server.ts";

const search = { type: "function" as const, function: { name: "search", description: "", parameters: {} } };
const tools = [search];

const callsOf = (all: readonly LlmStreamEvent[]) =>
  all.flatMap((event) =>
    event.status === "success" && event.type === "tool_call" && event.role === "assistant"
      ? event.tool_calls.map(({ function: { name, arguments: text } }) => [name, JSON.parse(text) as unknown])
      : [],
  );

const json =
  (text: string, status = 200): ChatAnswer =>
  (response) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(text);

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const done = "data: [DONE]\n\n";
const words = ["It opens ", "at nine. ", "It closes at six."];
const whole = words.join("");
const completion = { choices: [{ message: { role: "assistant", content: whole }, finish_reason: "stop" }] };
const pieces = words.map((content) => chunk({ content }));
/** A stream of what is made of each word. */
const each = (make: (content: string) => string, before = "") =>
  streams(before + words.map(make).join("") + done);

describe("an answer is understood", () => {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: "plan" }] };
  const lines = (piece: string) =>
    JSON.stringify(JSON.parse(piece.slice(6)), null, 1).replace(/^/gm, "data: ");
  const other = { index: 1, delta: { content: "OTHER " } };
  test.each<[string, ChatAnswer]>([
    ["whole, although a stream was asked for", json(JSON.stringify(completion))],
    ["whole and indented", json(JSON.stringify(completion, null, 2))],
    ["as a message instead of a delta", streams(data(completion))],
    ["as the older protocol's text", streams(data({ choices: [{ text: whole, finish_reason: "stop" }] }))],
    ["as lines of JSON", streams(pieces.map((piece) => piece.slice(6).trim()).join("\n"))],
    ["as JSON over several data lines", streams(pieces.map(lines).join("\n\n"))],
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
      each((text) => chunk({ content: [{ type: "text", text }] }), chunk({ content: [thinking] })),
    ],
    [
      "beside an alternative to it",
      each((content) => data({ choices: [other, { index: 0, delta: { content } }] })),
    ],
    ["with wrong fields beside it", each((content) => chunk({ content, tool_calls: "x" }))],
    ["without an end mark, after its last sentence", streams(pieces.join(""))],
  ])("%s", async (_name, answer) => {
    const all = await answerOf(answer);
    expect([textOf(all), reasonOf(all)]).toEqual([whole, ""]);
  });
});

describe("thoughts are not shown", () => {
  const channels = [
    "<|channel|>analysis<|message|>plan<|end|>",
    "<|start|>assistant<|channel|>final<|message|>",
  ];
  test.each([
    ["between tags that are cut", ["<th", "ink>\n", "It asks <b>. ", "</thi", "nk>\n\n", ...words]],
    ["between other tags", ["<thinking>", "plan", "</thinking>", ...words]],
    ["in capitals", ["<THINK>plan</THINK>", ...words]],
    ["that begin in the template", ["It asks for hours.\n", "</think>", "\n\n", ...words]],
    ["in channels", [...channels, ...words]],
    ["in brackets", ["[THINK]plan[/THINK]", ...words]],
    ["nor are the template's marks", [...words, "<|im_end|>"]],
  ])("%s", async (_name, texts) => {
    const all = await answerOf(streams(saying(...texts)));
    expect([textOf(all), reasonOf(all)]).toEqual([whole, ""]);
  });

  test("nor is an answer that is nothing else", async () => {
    const all = await answerOf(streams(chunk({ content: "<think>long" }) + chunk({}, "length")));
    expect([textOf(all), reasonOf(all)]).toEqual(["", expect.stringContaining("no answer")]);
  });

  test("and what a model's texts begin with is remembered, so that later ones are held back until their end", async () => {
    const slow: ChatAnswer = (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(chunk({ content: "It asks. " }));
      setTimeout(() => response.end(saying("So nine.</think>", whole)), 30);
    };
    const model = modelAt((await runChatServer(streams(saying("It asks.</think>", whole)), slow)).url);
    expect(textOf(await ask(model))).toBe(whole);
    expect(textOf(await ask(model))).toBe(whole);
    expect(textOf(await answerOf(slow, { model: "some-r1:8b" }))).toBe(whole);
  });

  test("wherever the text is cut, what is seen of it is the same", () => {
    const tags = ["<think>", "</think>", "<b>", "<tool_call>", "</tool_call>"];
    const texts = ["One.", ...tags, '{"name":"search"}', "<", "\n"];
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
    const chosenTexts = fc.array(fc.constantFrom(...texts), { maxLength: 12 });
    fc.assert(
      fc.property(chosenTexts, fc.array(fc.nat(60), { maxLength: 8 }), (chosen, cuts) => {
        const text = chosen.join("");
        const inside = cuts.map((cut) => Math.min(cut, text.length));
        const places = [0, ...inside, text.length].sort((a, b) => a - b);
        const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(seen(parts)).toBe(seen([text]));
      }),
      { examples: [[["\n", '{"name":"search"}', "One."], [1]]] },
    );
  });
});

describe("calls are understood", () => {
  const chair = '{"query":"chair"}';
  const table = '{"query":"table"}';
  const part = (fields: object): string => chunk({ tool_calls: [fields] });
  const called = (id: unknown, args: unknown, name = "search", more = {}) =>
    part({ index: 0, id, function: { name, arguments: args }, ...more });
  const one = [["search", { query: "chair" }]];
  const two = [...one, ["search", { query: "table" }]];
  const written = [
    `<tool_call>\n{"name": "search", "arguments": ${chair}}\n</tool_call>`,
    `{"name": "search", "parameters": ${chair}}`,
    "<tool_call><function=search><parameter=query>chair</parameter></function></tool_call>",
    `<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>chair</arg_value>\n</tool_call>`,
    `[TOOL_CALLS][{"name": "search", "arguments": ${chair}}]`,
    `[TOOL_CALLS]search[CALL_ID]abc123[ARGS]${chair}`,
    `[TOOL_CALLS]search${chair}</s>`,
    `<|python_tag|>{"name": "search", "parameters": ${chair}}<|eom_id|>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>${chair}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n\`\`\`json\n${chair}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ];
  test.each<[string, string, unknown]>([
    ["several with the same index", called("a", chair) + called("b", table), two],
    ["arguments as an object", called("a", { query: "chair" }), one],
    ["of the older protocol", chunk({ function_call: { name: "search", arguments: chair } }), one],
    ["with a namespace", called("a", chair, "functions.search"), one],
    ["with a number as its id", called(7, chair), one],
    ...written.map((content): [string, string, unknown] => [
      `written as ${content}`,
      chunk({ content }),
      one,
    ]),
    [
      "several written in one text",
      chunk({ content: `[TOOL_CALLS]search[ARGS]${chair}[TOOL_CALLS]search[ARGS]${table}` }),
      two,
    ],
  ])("%s", async (_name, text, calls) => {
    const all = await answerOf(streams(text + chunk({}, "stop") + done), {}, { tools });
    expect([callsOf(all), textOf(all), reasonOf(all)]).toEqual([calls, "", ""]);
  });

  test("JSON that is no call of an offered tool is an answer", async () => {
    const all = await answerOf(streams(saying('{"price": ', "480}")), {}, { tools });
    expect(textOf(all)).toBe('{"price": 480}');
  });

  const withTools = ({ url }: ChatServer) => {
    const toolbox = { definitions: tools, run: () => Promise.resolve({ text: "480" }) };
    return eventsOf(answerWithTools(modelAt(url), turn, toolbox));
  };

  test("what a vendor adds to a call comes back with its result", async () => {
    const extra = { extra_content: { signature: "s1" } };
    const signed = called("a", chair, "search", extra) + chunk({}, "tool_calls") + done;
    const server = await runChatServer(streams(signed), streams(saying(whole)));
    await withTools(server);
    expect(server.requests[1]?.body.messages.find(({ tool_calls }) => tool_calls)?.tool_calls).toEqual([
      { id: "a", type: "function", function: { name: "search", arguments: chair }, ...extra },
    ]);
  });

  test("a model that goes on calling although it may not is asked without tools", async () => {
    const calls = called("a", chair) + chunk({}, "tool_calls") + done;
    const all = await withTools(
      await runChatServer((response, request) =>
        streams(request.body.tools ? calls : saying(whole))(response, request),
      ),
    );
    expect([textOf(all), reasonOf(all)]).toEqual([whole, ""]);
  });
});

/** Refuses a request for as long as `isWrong`. */
const refusing =
  (status: number, body: unknown, isWrong: (body: Line) => boolean = () => true): ChatAnswer =>
  (response, request) =>
    (isWrong(request.body) ? json(JSON.stringify(body), status) : streams(saying(whole)))(response, request);

const saysError = (message: string) => ({ error: { message } });

describe("what a server refuses is left out, and not sent to it again", () => {
  const has = (field: string) => (body: Line) => field in body;
  const hasSystem = ({ messages }: Line) =>
    (messages as { role: string }[]).some(({ role }) => role === "system");
  const detail = [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }];
  test.each<[string, number, unknown, (body: Line) => boolean, object?]>([
    [
      "stream_options",
      400,
      saysError("Unrecognized request argument supplied: stream_options"),
      has("stream_options"),
    ],
    ["stream_options, told as a list", 422, { detail }, has("stream_options")],
    ["stream_options, told vaguely", 400, {}, has("stream_options")],
    [
      "temperature",
      400,
      saysError("'temperature' does not support 0.2 with this model."),
      has("temperature"),
      { temperature: 0.2 },
    ],
    [
      "max_tokens",
      400,
      saysError("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      (body) => "max_tokens" in body || !("max_completion_tokens" in body),
      { extra_body: { max_tokens: 100 } },
    ],
    ["tools", 400, { error: "gemma:2b does not support tools" }, has("tools")],
    ["the system role", 400, saysError("System role not supported"), hasSystem],
  ])("%s", async (name, status, body, isWrong, engine) => {
    const server = await runChatServer(refusing(status, body, isWrong));
    const lines: Line[] = [];
    const model = modelAt(server.url, engine, lines);
    expect(textOf(await ask(model, { tools }))).toBe(whole);
    const field = name.replace(/,.*|the | role/g, "");
    expect(lines).toMatchObject([{ text: "language model refused a field", field }]);
    expect(textOf(await ask(model, { tools }))).toBe(whole);
    expect(server.requests).toHaveLength(3);
  });

  test("but not the tools because of one that is wrong", async () => {
    const wrong = saysError("Invalid schema for function 'search': type must be object");
    const server = await runChatServer(refusing(400, wrong));
    expect(reasonOf(await ask(modelAt(server.url), { tools }))).toContain("not available");
    expect(server.requests).toHaveLength(1);
  });
});

describe("the owner reads what the server says about an error, and the visitor does not", () => {
  const invalid = "API key not valid. Please pass a valid API key.";
  test.each<[string, ChatAnswer, Line]>([
    ["in a list", refusing(400, [saysError(invalid)]), { code: "refused", status: 400, detail: invalid }],
    [
      "with its key masked",
      refusing(401, saysError("Incorrect API key provided: sk-proj-12345abc")),
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
    ["as a detail", json('{"detail":"Not Found"}'), { code: "failed", detail: "Not Found" }],
    [
      "about money, which is not the length",
      refusing(402, saysError("You exceeded your current quota.")),
      { code: "refused", status: 402 },
    ],
    [
      "about the length",
      refusing(400, saysError("This model's maximum context length is 8192 tokens.")),
      { code: "too_large", status: 400 },
    ],
    [
      "at length",
      refusing(500, "long ".repeat(100)),
      { detail: expect.stringMatching(/^[^]{199}…$/) as unknown },
    ],
    [
      "by sending elsewhere",
      (response) => void response.writeHead(307, { location: "/other" }).end(),
      { code: "redirected" },
    ],
  ])("%s", async (_name, answer, line) => {
    const lines: Line[] = [];
    const all = await ask(modelAt((await runChatServer(answer)).url, {}, lines));
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
  const all = await answerOf(streams(chunk({ content: "It opens" }) + chunk({}, finish) + done));
  expect([textOf(all), reasonOf(all)]).toEqual(["It opens", expect.stringContaining(reason)]);
});

test("roles are in turns, beginning with the visitor's, whatever was interrupted", async () => {
  const server = await runChatServer(streams(saying(whole)));
  await ask(modelAt(server.url), {
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
    ["system", "You sell chairs."],
    ["user", "[The visitor has opened the conversation.]"],
    ["assistant", "Hello!"],
    ["user", "Where\n\nWhen?"],
    ["assistant", "At nine.\n\nOr ten."],
    ["user", "Sure?"],
  ]);
});
