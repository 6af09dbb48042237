import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import type { ToolServer, Turn } from "../../../../src/service/language/language-model.ts";
import { namedTools } from "../../../../src/service/language/mcp/mcp-toolbox.ts";
import { said } from "../answer-parts.ts";
import {
  calling,
  type ChatAnswer,
  runChatServer,
  saying,
  streams,
} from "../engines/chat-completions/chat-server.ts";
import { runMcpServer } from "./mcp-server.ts";
import { answerWith, sharingModels, toolServer } from "./tool-turns.ts";

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

/** A server's limit of one second is over when the result is called: the test waits for no clock. */
function untilLimit(): () => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(1_000);
}

const protocols = ["sse", "streamable_http"] as const;
const stockCall = { id: "c1", name: "stock_level", args: { article: "chair" } };

/** A shop, and a model at a server that answers so. */
async function shopWith(answers: ChatAnswer[], fields: Partial<ToolServer> = {}, tools = shopTools) {
  const shop = await runMcpServer({ protocol: fields.transport_protocol ?? "streamable_http", tools });
  const chat = await runChatServer(...answers);
  const { modelAt, log } = sharingModels();
  const row = toolServer(shop.url, fields);
  return {
    ...{ shop, chat, row, modelAt, log },
    answer: (others: ToolServer[] = [], turn: Partial<Turn> = {}) =>
      answerWith(modelAt(chat), [...others, row], turn),
  };
}

test.each(protocols)("a tool is run over %s and the model gets the result", async (protocol) => {
  const { shop, chat, answer } = await shopWith(
    [streams(calling(stockCall)), streams(saying("There are seven."))],
    { transport_protocol: protocol, auth_header: "Bearer t1" },
  );
  const call = { status: "success", type: "tool_call" };
  const called = { name: "stock_level", arguments: '{"article":"chair"}' };
  const result = { role: "tool", content: "chair: 7 in stock", tool_call_id: "c1" };
  expect(await answer()).toEqual([
    {
      ...{ ...call, role: "assistant", content: "" },
      tool_calls: [{ id: "c1", type: "function", function: called }],
    },
    { ...call, ...result },
    said("There are seven."),
  ]);
  const parameters = { type: "object", properties: { article: { type: "string" } } };
  expect(chat.requests[0]?.body.tools?.[0]).toMatchObject({
    type: "function",
    function: { name: "stock_level", description: "Stock", parameters },
  });
  const asked = { role: "assistant", tool_calls: [{ id: "c1" }] };
  expect(chat.requests[1]?.body.messages.slice(-2)).toMatchObject([asked, result]);
  expect(shop.headers.length).toBeGreaterThan(2);
  expect(new Set(shop.headers.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer t1"]));
});

describe("what a tool wants to show", () => {
  const shown = { cards: [{ title: "Alder chair", price: "€480" }] };
  const seven = text("7");

  /** One turn in which the model calls a tool with this result: the tool's event, and what the model reads. */
  async function turnWith(result: CallToolResult) {
    const answers = [streams(calling({ ...stockCall, args: {} })), streams(saying("There are seven."))];
    const { chat, answer } = await shopWith(
      answers,
      {},
      (server) => void server.registerTool("stock.level", {}, () => result),
    );
    const events = await answer();
    return {
      event: events.find((event) => event.status === "success" && event.role === "tool"),
      read: chat.requests[1]?.body.messages.at(-1)?.content,
    };
  }

  test.each<[string, CallToolResult]>([
    ["structured content", { ...seven, structuredContent: { stock: 7, visavis: shown } }],
    ["_meta", { ...seven, _meta: { visavis: shown } }],
  ])("goes to the visitor from %s, and the model reads the text", async (_where, result) => {
    const { event, read } = await turnWith(result);
    expect(event).toMatchObject({ role: "tool", content: "7", visavis: shown });
    expect(read).toBe("7");
  });

  test("is not shown where it is wrong, and the model is told why", async () => {
    const cards = [{ title: "Alder chair", onclick: "alert(1)" }];
    const { event, read } = await turnWith({ ...seven, _meta: { visavis: { cards } } });
    expect(event).not.toHaveProperty("visavis");
    expect(read).toBe(
      "Error: nothing was shown. cards[0].onclick is not a field here. There are: title, text, price, picture, href, buttons.\n7",
    );
  });
});

test("a header with a custom name is sent with that name", async () => {
  const { shop, answer } = await shopWith([streams(saying("Yes."))], { auth_header: "X-Api-Key: k9" });
  await answer();
  expect(shop.headers[0]).toMatchObject({ "x-api-key": "k9" });
});

describe.each(protocols)("a connection over %s", (protocol) => {
  const conversation = () =>
    shopWith(
      [
        (response, request) => {
          const asked = request.body.messages.at(-1)?.role === "user";
          response.end(asked ? calling(stockCall) : saying("Seven."));
        },
      ],
      { transport_protocol: protocol },
    );
  const found: unknown = expect.objectContaining({ role: "tool", content: "chair: 7 in stock" });

  test("serves later turns, and is opened again when the server has forgotten it", async () => {
    const { shop, answer } = await conversation();
    await answer();
    expect(await answer()).toContainEqual(found);
    expect(shop.connections()).toBe(1);
    shop.forget();
    expect(await answer()).toContainEqual(found);
    expect(shop.connections()).toBe(2);
  });

  test("stays open for others when a visitor disconnects during a call", async () => {
    const { shop, modelAt, row, answer } = await conversation();
    await answer();
    const slow = await runChatServer(streams(calling({ id: "c9", name: "endless", args: {} })));
    const abort = new AbortController();
    onEndless = () => abort.abort();
    const left = await answerWith(modelAt(slow), [row], { signal: abort.signal });
    expect(left).toMatchObject([{ role: "assistant", tool_calls: [{ id: "c9" }] }]);
    expect(slow.requests).toHaveLength(1);
    expect(await answer()).toContainEqual(found);
    expect(shop.connections()).toBe(1);
  });

  test("offers the tools that the server adds later", async () => {
    const { shop, chat, answer } = await conversation();
    const offered = async () => {
      await answer();
      return chat.requests.at(-1)?.body.tools?.length;
    };
    expect(await offered()).toBe(4);
    shop.addTool("later", () => text("now"));
    await expect.poll(offered).toBe(5);
    expect(shop.connections()).toBe(1);
  });
});

describe("an error does not end the turn", () => {
  test("when a server cannot be reached, the model is told its name and the others are used", async () => {
    const { chat, answer, log } = await shopWith([streams(saying("I cannot look that up."))]);
    const gone = [
      toolServer("http://127.0.0.1:9/mcp", { name: "weather", auth_header: "Bearer secret-1" }),
      toolServer("http://127.0.0.1:9/sse", { name: "news", transport_protocol: "sse" }),
    ];
    expect(await answer(gone)).toEqual([said("I cannot look that up.")]);
    const { body } = chat.requests[0]!;
    const told = "You sell.\n\nTools that cannot be used at the moment: weather, news.";
    expect(body.messages[0]?.content).toBe(told);
    expect(body.tools).toHaveLength(4);
    expect(log()).toContain('"server":"weather"');
    expect(log()).not.toContain("secret-1");
  });

  test.each(protocols)("when a server does not answer over %s", async (protocol) => {
    const silent = await runChatServer(untilLimit());
    const chat = await runChatServer(streams(saying("No.")));
    const row = toolServer(silent.url, { transport_protocol: protocol, server_timeout_sec: 1 });
    expect(await answerWith(sharingModels().modelAt(chat), [row])).toEqual([said("No.")]);
  });

  test("private addresses are not called unless the operator allows them", async () => {
    const { shop, chat, row } = await shopWith([streams(saying("No."))]);
    const model = sharingModels(false).modelAt(chat);
    await answerWith(model, [row]);
    expect(shop.headers).toEqual([]);
    expect(chat.requests[0]?.body.messages[0]?.content).toContain("cannot be used at the moment: shop");
    await answerWith(model, [{ ...row, trusted: true }]);
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
    const isEndless = call.name === "endless";
    const { chat, answer } = await shopWith(
      [streams(calling({ id: "c1", ...call })), streams(saying("Sorry."))],
      { server_timeout_sec: isEndless ? 1 : 60 },
    );
    if (isEndless) onEndless = untilLimit();
    const events = await answer();
    expect(events[1]).toMatchObject({ role: "tool", content: expect.stringMatching(result) as string });
    expect(events.at(-1)).toEqual(said("Sorry."));
    expect(chat.requests[1]?.body.messages.at(-1)?.content).toMatch(result);
  });

  test("a model that never stops calling tools has to answer after eight rounds", async () => {
    const { chat, row, modelAt, answer } = await shopWith([
      (response, { body }) => {
        response.end(body.tool_choice === "none" ? saying("Enough.") : calling(stockCall));
      },
    ]);
    expect((await answer()).at(-1)).toEqual(said("Enough."));
    expect(chat.requests).toHaveLength(9);
    const stubborn = await runChatServer(streams(calling(stockCall)));
    const refused = await answerWith(modelAt(stubborn), [row]);
    // Once more, without tools.
    expect(stubborn.requests).toHaveLength(10);
    expect(stubborn.requests.at(-1)?.body).not.toHaveProperty("tools");
    expect(refused.at(-1)).toMatchObject({ status: "error" });
  });
});

test("a call of the client's tool ends the stream; server tools that were called with it run first", async () => {
  const open = { id: "c2", name: "open_page", args: { path: "/" } };
  const { chat, answer } = await shopWith([streams(calling(open, stockCall))]);
  const tools: Turn["tools"] = [
    { type: "function", function: { name: "open_page", description: "", parameters: {} } },
  ];
  expect(await answer([], { tools })).toMatchObject([
    { role: "assistant", tool_calls: [{ id: "c1" }] },
    { role: "tool", tool_call_id: "c1" },
    { role: "assistant", tool_calls: [{ id: "c2", function: { name: "open_page" } }] },
  ]);
  expect(chat.requests).toHaveLength(1);
});

test("two tools are never offered with the same name", () => {
  const offering = (name: string, ...tools: string[]) => ({
    server: toolServer("u", { name }),
    tools: tools.map((tool) => ({ name: tool, inputSchema: { type: "object" as const } })),
  });
  const servers = [
    offering("a", "open_page", "find", "fi.nd"),
    offering("b b", "find", "나무", "가지"),
    offering("c", "x".repeat(100), "x".repeat(101)),
  ];
  const names = namedTools(servers, ["open_page"]).map(({ definition }) => definition.function.name);
  expect(names.slice(0, 4)).toEqual(["a_open_page", "find", "fi_nd", "b_b_find"]);
  expect(new Set(names).size).toBe(8);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});
