import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { LanguageModel, ToolServer, Turn } from "../../../../src/service/language/language-model.ts";
import { namedTools } from "../../../../src/service/language/mcp/mcp-toolbox.ts";
import type { Logger } from "../../../../src/logging/logger.ts";
import {
  calling,
  type ChatServer,
  runChatServer,
  saying,
  streams,
} from "../engines/chat-completions/chat-server.ts";
import { runMcpServer } from "./mcp-server.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** Runs when the tool that never answers is called. */
let onEndless = (): void => undefined;

/** A shop's tools: stock, one with a result that is too long, one that fails and one that never answers. */
function shopTools(server: McpServer): void {
  const article = { article: z.string() };
  server.registerTool("stock.level", { description: "Stock", inputSchema: article }, ({ article: name }) =>
    text(`${name}: 7 in stock`),
  );
  server.registerTool("catalogue", {}, () => text("x".repeat(20_000)));
  server.registerTool("broken", {}, () => {
    throw new Error("no database");
  });
  server.registerTool("endless", {}, () => {
    onEndless();
    return new Promise(() => undefined);
  });
}

function serverRow(url: string, fields: Partial<ToolServer> = {}): ToolServer {
  return {
    mcpserver_id: "m1",
    name: "shop",
    organization: "",
    url,
    description: "",
    auth_header: null,
    transport_protocol: "streamable_http",
    server_timeout_sec: 60,
    extra_data: null,
    trusted: false,
    isOperators: true,
    ...fields,
  };
}

/** A server's limit of one second is over when the result is called: the test waits for no clock. */
function untilLimit(): () => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(1_000);
}

const lines: unknown[] = [];
const record = (...line: unknown[]) => void lines.push(line);
const log: Logger = { debug: record, info: record, warn: record, error: record };

/** Models at several servers that share their connections to tool servers. */
function sharingModels(allowPrivate = true) {
  const models = createLanguageModels({ log, outbound: createOutboundCalls({ allowPrivate }) });
  onTestFinished(() => models.close());
  return ({ url }: ChatServer): LanguageModel => {
    const engine = { base_url: url, model: "m1" };
    return models.model({
      ...{ id: "a", name: "a", isOperators: true },
      ...{ body: { name: "a", service: "onpremise" as const }, engine },
    })!;
  };
}

function modelAt(server: ChatServer, allowPrivate = true): LanguageModel {
  return sharingModels(allowPrivate)(server);
}

async function answer(
  model: LanguageModel,
  turn: Partial<Turn> & Pick<Turn, "mcpServers">,
): Promise<LlmStreamEvent[]> {
  const events: LlmStreamEvent[] = [];
  const messages: Turn["messages"] = [{ role: "user", content: "How many chairs are there?" }];
  for await (const event of model.answer({ systemPrompt: "You sell.", messages, tools: [], ...turn }))
    events.push(event);
  return events;
}

const stockCall = { id: "c1", name: "stock_level", args: { article: "chair" } };

test.each(["sse", "streamable_http"] as const)(
  "a tool is run over %s and the model gets the result",
  async (protocol) => {
    const shop = await runMcpServer({ protocol, tools: shopTools });
    const chat = await runChatServer(streams(calling(stockCall)), streams(saying("There are seven.")));
    const mcpServers = [serverRow(shop.url, { transport_protocol: protocol, auth_header: "Bearer t1" })];
    expect(await answer(modelAt(chat), { mcpServers })).toEqual([
      {
        status: "success",
        type: "tool_call",
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "stock_level", arguments: '{"article":"chair"}' } },
        ],
      },
      {
        status: "success",
        type: "tool_call",
        role: "tool",
        content: "chair: 7 in stock",
        tool_call_id: "c1",
      },
      { status: "success", type: "message", role: "assistant", content: "There are seven." },
    ]);
    expect(chat.requests[0]?.body.tools?.[0]).toMatchObject({
      type: "function",
      function: {
        name: "stock_level",
        description: "Stock",
        parameters: { type: "object", properties: { article: { type: "string" } } },
      },
    });
    expect(chat.requests[1]?.body.messages.slice(-2)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "c1" }] },
      { role: "tool", tool_call_id: "c1", content: "chair: 7 in stock" },
    ]);
    expect(shop.headers.length).toBeGreaterThan(2);
    expect(shop.headers.map(({ authorization }) => authorization)).toEqual(
      shop.headers.map(() => "Bearer t1"),
    );
  },
);

describe("what a tool wants to show", () => {
  const shown = { cards: [{ title: "Alder chair", price: "€480" }] };

  /** One turn in which the model calls a tool with this result: the tool's event, and what the model reads. */
  async function turnWith(result: CallToolResult) {
    const shop = await runMcpServer({
      protocol: "streamable_http",
      tools: (server) => void server.registerTool("stock.level", {}, () => result),
    });
    const chat = await runChatServer(
      streams(calling({ ...stockCall, args: {} })),
      streams(saying("There are seven.")),
    );
    const events = await answer(modelAt(chat), { mcpServers: [serverRow(shop.url)] });
    return {
      event: events.find((event) => event.status === "success" && event.role === "tool"),
      read: chat.requests[1]?.body.messages.at(-1)?.content,
    };
  }

  test.each<[string, CallToolResult]>([
    ["structured content", { content: text("7").content, structuredContent: { stock: 7, visavis: shown } }],
    ["_meta", { content: text("7").content, _meta: { visavis: shown } }],
  ])("goes to the visitor from %s, and the model reads the text", async (_where, result) => {
    const { event, read } = await turnWith(result);
    expect(event).toMatchObject({ role: "tool", content: "7", visavis: shown });
    expect(read).toBe("7");
  });

  test("is not shown where it is wrong, and the model is told why", async () => {
    const cards = [{ title: "Alder chair", onclick: "alert(1)" }];
    const { event, read } = await turnWith({ content: text("7").content, _meta: { visavis: { cards } } });
    expect(event).not.toHaveProperty("visavis");
    expect(read).toBe(
      "Error: nothing was shown. cards[0].onclick is not a field here. There are: title, text, price, picture, href, buttons.\n7",
    );
  });
});

test("a header with a custom name is sent with that name", async () => {
  const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
  const chat = await runChatServer(streams(saying("Yes.")));
  await answer(modelAt(chat), { mcpServers: [serverRow(shop.url, { auth_header: "X-Api-Key: k9" })] });
  expect(shop.headers[0]).toMatchObject({ "x-api-key": "k9" });
});

describe.each(["sse", "streamable_http"] as const)("a connection over %s", (protocol) => {
  async function conversation() {
    const shop = await runMcpServer({ protocol, tools: shopTools });
    const chat = await runChatServer((response, request) => {
      const asked = request.body.messages.at(-1)?.role === "user";
      response.end(asked ? calling(stockCall) : saying("Seven."));
    });
    const models = sharingModels();
    const mcpServers = [serverRow(shop.url, { transport_protocol: protocol })];
    return { shop, chat, models, mcpServers, ask: () => answer(models(chat), { mcpServers }) };
  }
  const found: unknown = expect.objectContaining({ role: "tool", content: "chair: 7 in stock" });

  test("serves later turns, and is opened again when the server has forgotten it", async () => {
    const { shop, ask } = await conversation();
    await ask();
    expect(await ask()).toContainEqual(found);
    expect(shop.connections()).toBe(1);
    shop.forget();
    expect(await ask()).toContainEqual(found);
    expect(shop.connections()).toBe(2);
  });

  test("stays open for others when a visitor disconnects during a call", async () => {
    const { shop, models, mcpServers, ask } = await conversation();
    await ask();
    const slow = await runChatServer(streams(calling({ id: "c9", name: "endless", args: {} })));
    const abort = new AbortController();
    onEndless = () => abort.abort();
    const left = await answer(models(slow), { mcpServers, signal: abort.signal });
    expect(left).toMatchObject([{ role: "assistant", tool_calls: [{ id: "c9" }] }]);
    expect(slow.requests).toHaveLength(1);
    expect(await ask()).toContainEqual(found);
    expect(shop.connections()).toBe(1);
  });

  test("offers the tools that the server adds later", async () => {
    const { shop, chat, ask } = await conversation();
    await ask();
    expect(chat.requests.at(-1)?.body.tools).toHaveLength(4);
    shop.addTool("later", () => text("now"));
    await expect
      .poll(async () => {
        await ask();
        return chat.requests.at(-1)?.body.tools?.length;
      })
      .toBe(5);
    expect(shop.connections()).toBe(1);
  });
});

describe("an error does not end the turn", () => {
  test("when a server cannot be reached, the model is told its name and the others are used", async () => {
    const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
    const chat = await runChatServer(streams(saying("I cannot look that up.")));
    const mcpServers = [
      serverRow("http://127.0.0.1:9/mcp", { name: "weather", auth_header: "Bearer secret-1" }),
      serverRow("http://127.0.0.1:9/sse", { name: "news", transport_protocol: "sse" }),
      serverRow(shop.url),
    ];
    expect(await answer(modelAt(chat), { mcpServers })).toMatchObject([
      { content: "I cannot look that up." },
    ]);
    const [request] = chat.requests;
    expect(request?.body.messages[0]?.content).toBe(
      "You sell.\n\nTools that cannot be used at the moment: weather, news.",
    );
    expect(request?.body.tools).toHaveLength(4);
    expect(JSON.stringify(lines)).toContain('"server":"weather"');
    expect(JSON.stringify(lines)).not.toContain("secret-1");
  });

  test.each(["sse", "streamable_http"] as const)(
    "when a server does not answer over %s",
    async (protocol) => {
      const silent = await runChatServer(untilLimit());
      const chat = await runChatServer(streams(saying("No.")));
      const row = serverRow(silent.url, { transport_protocol: protocol, server_timeout_sec: 1 });
      expect(await answer(modelAt(chat), { mcpServers: [row] })).toMatchObject([{ content: "No." }]);
    },
  );

  test("private addresses are not called unless the operator allows them", async () => {
    const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
    const chat = await runChatServer(streams(saying("No.")));
    const model = modelAt(chat, false);
    await answer(model, { mcpServers: [serverRow(shop.url)] });
    expect(shop.headers).toEqual([]);
    expect(chat.requests[0]?.body.messages[0]?.content).toContain("cannot be used at the moment: shop");
    await answer(model, { mcpServers: [serverRow(shop.url, { trusted: true })] });
    expect(chat.requests[1]?.body.tools).toHaveLength(4);
  });

  test.each([
    ["a tool that fails", { name: "broken", args: {} }, /^Error: .*no database/],
    ["arguments that are no JSON", { name: "stock_level", args: '{"article":' }, /not a JSON object/],
    ["arguments that the tool does not take", { name: "stock_level", args: { article: 4 } }, /^Error: /],
    ["a tool that is not there", { name: "buy", args: {} }, /there is no tool named buy/],
    ["a result beyond all bounds", { name: "catalogue", args: {} }, /cut here: 4000 more characters/],
    ["a tool that never answers", { name: "endless", args: {} }, /did not answer/],
  ])("%s", async (_what, call, result) => {
    const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
    const chat = await runChatServer(streams(calling({ id: "c1", ...call })), streams(saying("Sorry.")));
    const isEndless = call.name === "endless";
    if (isEndless) onEndless = untilLimit();
    const mcpServers = [serverRow(shop.url, { server_timeout_sec: isEndless ? 1 : 60 })];
    const events = await answer(modelAt(chat), { mcpServers });
    expect(events[1]).toMatchObject({ role: "tool", content: expect.stringMatching(result) as string });
    expect(events.at(-1)).toMatchObject({ content: "Sorry." });
    expect(chat.requests[1]?.body.messages.at(-1)?.content).toMatch(result);
  });

  test("a model that never stops calling tools has to answer after eight rounds", async () => {
    const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
    const chat = await runChatServer((response, { body }) => {
      response.end(body.tool_choice === "none" ? saying("Enough.") : calling(stockCall));
    });
    const events = await answer(modelAt(chat), { mcpServers: [serverRow(shop.url)] });
    expect(chat.requests).toHaveLength(9);
    expect(events.at(-1)).toMatchObject({ content: "Enough." });
    const stubborn = await runChatServer(streams(calling(stockCall)));
    const refused = await answer(modelAt(stubborn), { mcpServers: [serverRow(shop.url)] });
    // Once more, without tools.
    expect(stubborn.requests).toHaveLength(10);
    expect(stubborn.requests.at(-1)?.body).not.toHaveProperty("tools");
    expect(refused.at(-1)).toMatchObject({ status: "error" });
  });
});

test("a call of the client's tool ends the stream; server tools that were called with it run first", async () => {
  const shop = await runMcpServer({ protocol: "streamable_http", tools: shopTools });
  const open = { id: "c2", name: "open_page", args: { path: "/" } };
  const chat = await runChatServer(streams(calling(open, stockCall)));
  const tools: Turn["tools"] = [
    { type: "function", function: { name: "open_page", description: "", parameters: {} } },
  ];
  expect(await answer(modelAt(chat), { tools, mcpServers: [serverRow(shop.url)] })).toMatchObject([
    { role: "assistant", tool_calls: [{ id: "c1" }] },
    { role: "tool", tool_call_id: "c1" },
    { role: "assistant", tool_calls: [{ id: "c2", function: { name: "open_page" } }] },
  ]);
  expect(chat.requests).toHaveLength(1);
});

test("two tools are never offered with the same name", () => {
  const tool = (name: string) => ({ name, inputSchema: { type: "object" as const } });
  const named = namedTools(
    [
      { server: serverRow("u", { name: "a" }), tools: [tool("open_page"), tool("find"), tool("fi.nd")] },
      { server: serverRow("u", { name: "b b" }), tools: [tool("find"), tool("나무"), tool("가지")] },
      { server: serverRow("u", { name: "c" }), tools: [tool("x".repeat(100)), tool("x".repeat(101))] },
    ],
    ["open_page"],
  );
  const names = named.map(({ definition }) => definition.function.name);
  expect(names.slice(0, 4)).toEqual(["a_open_page", "find", "fi_nd", "b_b_find"]);
  expect(new Set(names).size).toBe(8);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});
