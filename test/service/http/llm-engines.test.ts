import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import type { ErrorBody } from "../../../src/protocol/schema/error-body.ts";
import { mcpServerBody, runEngines, saidBy } from "../engines-fixture.ts";
import {
  calling,
  chunk,
  runChatServer,
  saying,
  streams,
} from "../language/engines/chat-completions/chat-server.ts";
import { runMcpServer } from "../language/mcp/mcp-server.ts";

const tool = (name: string) => ({
  type: "function" as const,
  function: { name, description: "", parameters: { type: "object" } },
});
const piece = (content: string) => ({ status: "success", type: "message", role: "assistant", content });

describe("capabilities", () => {
  const answer = streams(saying("The chair ", "costs 480 euros. ", "Do you ", "want it?"));

  test.each([
    [["LLM"], {}],
    [["LLM", "STF_ONPREMISE"], { model_style: "mina" }],
  ])("%j: pieces come as the model writes them", async (capability, fields) => {
    const chat = await runChatServer(answer);
    const run = await runEngines();
    await run.putChatModel("chat", chat.url);
    const session = await run.session({ capability, prompt: run.demo.id, llm_type: "chat", ...fields });
    expect(await run.ask(session, "How much?")).toEqual(
      ["The chair ", "costs 480 euros. ", "Do you ", "want it?"].map(piece),
    );
  });

  test.each([
    [["LLM", "TTS"], { tts_type: "visavis-slt" }],
    [["STF_WEBRTC"], { tts_type: "visavis-slt", model_style: "mina" }],
    [["STF_WEBRTC", "LLM", "TTS"], { tts_type: "visavis-slt", model_style: "mina" }],
    [["STF_ONPREMISE", "LLM", "TTS"], { tts_type: "visavis-slt", model_style: "mina" }],
  ])("%j: pieces are sentences", async (capability, fields) => {
    const chat = await runChatServer(answer);
    const run = await runEngines();
    await run.putChatModel("chat", chat.url);
    const session = await run.session({ capability, prompt: run.demo.id, llm_type: "chat", ...fields });
    expect(await run.ask(session, "How much?")).toEqual(
      ["The chair costs 480 euros. ", "Do you want it?"].map(piece),
    );
  });

  test.each([
    [["TTS"], { tts_type: "visavis-slt" }],
    [["STF_ONPREMISE"], { model_style: "mina" }],
  ])("%j: there is no answer", async (capability, fields) => {
    const run = await runEngines();
    const session = await run.session({ capability, ...fields });
    const messages = [{ role: "user", content: "Hello" }];
    const response = await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages });
    expect(response.status).toBe(400);
  });

  test("LLM alone: the session starts, sends heartbeats and ends without any media", async () => {
    const run = await runEngines();
    const fields = {
      capability: ["LLM"],
      prompt: run.demo.id,
      llm_type: "visavis-retrieval",
      document: "visavis-guide",
    };
    const session = await run.session(fields);
    await run.event(session, "SESSION_START");
    expect(saidBy(await run.ask(session, "What does Visavis run on?"))).toContain("on your own machine");
    expect(await run.status(session)).toMatchObject({ status: "IN_PROGRESS" });
    await run.event(session, "SESSION_END");
    expect(await run.status(session)).toMatchObject({ status: "TERMINATED" });
    expect(run.media.exchanges).toEqual([]);
  });
});

test("a client's tool is called, and the conversation continues with its result", async () => {
  const chat = await runChatServer(
    streams(calling({ id: "c1", name: "open_page", args: { path: "/chairs" } })),
    streams(saying("There you are.")),
  );
  const run = await runEngines();
  await run.putChatModel("chat", chat.url);
  const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, llm_type: "chat" });
  const [call] = await run.ask(session, "Show me chairs", { tools: [tool("open_page")] });
  expect(call).toMatchObject({
    type: "tool_call",
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1" }],
  });
  const messages = [
    { role: "user", content: "Show me chairs" },
    { ...call, status: undefined },
    { role: "tool", type: "tool_call", content: "opened", tool_call_id: "c1" },
  ];
  expect(saidBy(await run.ask(session, "", { tools: [tool("open_page")], messages }))).toBe("There you are.");
  expect(chat.requests[1]?.body.messages.slice(1)).toMatchObject([
    { role: "user", content: "Show me chairs" },
    { role: "assistant", tool_calls: [{ id: "c1" }] },
    { role: "tool", content: "opened", tool_call_id: "c1" },
  ]);
});

test.each([[{ content: null }], [{}]])(
  "a tool call may be sent back in the chat completions format: %j",
  async (content) => {
    const chat = await runChatServer(streams(saying("There you are.")));
    const run = await runEngines();
    await run.putChatModel("chat", chat.url);
    const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, llm_type: "chat" });
    const call = { id: "c1", type: "function", function: { name: "open_page", arguments: "{}" } };
    const messages = [
      { role: "user", content: "Show me chairs" },
      { role: "assistant", ...content, tool_calls: [call] },
      { role: "tool", content: "opened", tool_call_id: "c1" },
    ];
    expect(saidBy(await run.ask(session, "", { messages }))).toBe("There you are.");
    expect(chat.requests[0]?.body.messages.slice(1)).toMatchObject([
      messages[0],
      { role: "assistant", tool_calls: [call] },
      messages[2],
    ]);
  },
);

function orderTools(server: McpServer): void {
  server.registerTool("order_state", {}, () => ({ content: [{ type: "text", text: "On its way." }] }));
}

test.each(["name", "id"])(
  "mcp_servers of a session are named by %s, and their secrets are not sent",
  async (by) => {
    const orders = await runMcpServer({ protocol: "streamable_http", tools: orderTools });
    const chat = await runChatServer(
      streams(calling({ id: "c1", name: "order_state", args: {} })),
      streams(saying("It is on its way.")),
    );
    const run = await runEngines();
    await run.putChatModel("chat", chat.url);
    const body = mcpServerBody("orders", orders.url, "Bearer mcp-secret");
    await run.store.catalogue.put({
      kind: "mcp_server",
      id: "mcp-1",
      name: "orders",
      organizationId: run.organizationId,
      createdAtMs: 0,
      body: { ...body, mcpserver_id: "mcp-1" },
    });
    const session = await run.session({
      capability: ["LLM"],
      prompt: run.demo.id,
      llm_type: "chat",
      mcp_servers: [by === "name" ? "orders" : "mcp-1"],
    });
    const events = await run.ask(session, "Where is my order?");
    expect(events).toMatchObject([
      { role: "assistant", tool_calls: [{ function: { name: "order_state" } }] },
      { role: "tool", content: "On its way.", tool_call_id: "c1" },
      { role: "assistant", content: "It is on its way." },
    ]);
    expect(orders.headers[0]).toMatchObject({ authorization: "Bearer mcp-secret" });
    const retrieved = await (await run.request(`/api/v1/session/${session}/`)).text();
    expect(JSON.stringify(events) + retrieved).not.toMatch(/mcp-secret|sk-secret/);
  },
);

test("the retrieval responder calls no tools", async () => {
  const orders = await runMcpServer({ protocol: "streamable_http", tools: orderTools });
  const run = await runEngines();
  await run.put("mcp_server", "orders", mcpServerBody("orders", orders.url, ""));
  const session = await run.session({
    capability: ["LLM"],
    prompt: run.demo.id,
    llm_type: "visavis-retrieval",
    document: "visavis-guide",
    mcp_servers: ["orders"],
  });
  expect(saidBy(await run.ask(session, "What does Visavis run on?"))).toContain("on your own machine");
  expect(orders.headers).toEqual([]);
});

describe("an agent config", () => {
  const agentBody = (config: unknown) => ({
    agentconfig_id: "a1",
    name: "a1",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    config,
  });
  const fields = { capability: ["LLM"], llm_type: "visavis-retrieval", agent_config: "a1" };

  test("brings its own prompt, tools, tool servers, language model and temperature", async () => {
    const orders = await runMcpServer({ protocol: "streamable_http", tools: orderTools });
    const chat = await runChatServer(streams(saying("ok")));
    const run = await runEngines();
    await run.putChatModel("chat", chat.url);
    await run.put("mcp_server", "orders", mcpServerBody("orders", orders.url, ""));
    const config = {
      system_prompt: "Be brief.",
      tools: [tool("open_page"), tool("close_page")],
      mcp_servers: ["orders"],
      llm_type: "chat",
      temperature: 0.1,
      canvas: { nodes: [] },
    };
    await run.put("agent_config", "a1", agentBody(config));
    const session = await run.session({ ...fields, prompt: run.demo.id });
    const own = {
      ...tool("open_page"),
      function: { ...tool("open_page").function, description: "The page's" },
    };
    await run.ask(session, "Hello", { tools: [own] });
    const body = chat.requests[0]?.body;
    expect(body?.messages[0]?.content).toBe(`${run.demo.instructions}\n\nBe brief.`);
    expect(body?.temperature).toBe(0.1);
    expect(body?.tools?.map(({ function: { name, description } }) => [name, description])).toEqual([
      ["open_page", "The page's"],
      ["close_page", ""],
      ["order_state", ""],
    ]);
    const retrieved = (await (await run.get(`/api/v1/session/${session}/`)).json()) as object;
    expect(retrieved).toMatchObject({ agent_config: { agentconfig_id: "a1", config }, session_acls: [] });
  });

  test.each([
    [{ temperature: 5 }, "invalid", "temperature"],
    [{ tools: [{ type: "function" }] }, "invalid", "tools.0.function"],
    [{ llm_type: "nobody" }, "does_not_exist", "nobody"],
    [{ mcp_servers: ["nowhere"] }, "does_not_exist", "nowhere"],
    ["text", "invalid", "config"],
  ])("%j takes no session: %s", async (config, code, named) => {
    const run = await runEngines();
    await run.put("agent_config", "a1", agentBody(config));
    const response = await run.send("POST", "/api/v1/session/", { ...fields, prompt: run.demo.id });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as ErrorBody;
    expect(errors).toMatchObject([{ code, attr: "agent_config" }]);
    expect(errors[0]?.detail).toContain(named);
  });

  test("without settings, and the older agent, change nothing", async () => {
    const run = await runEngines();
    await run.put("agent_config", "a1", agentBody(null));
    const session = await run.session({
      ...fields,
      prompt: run.demo.id,
      document: "visavis-guide",
      agent: "free form",
    });
    expect(saidBy(await run.ask(session, "What does Visavis run on?"))).toContain("on your own machine");
  });
});

test("an llm_type whose engine is not available is not listed and cannot be named", async () => {
  const run = await runEngines();
  await run.put("llm_type", "ready", { name: "ready", service: "openai" }, { model: "m", api_key: "sk-1" });
  await run.put("llm_type", "no-address", { name: "no-address", service: "azure" }, { model: "m" });
  await run.put("llm_type", "no-settings", { name: "no-settings", service: "anthropic" });
  expect(await (await run.get("/api/v1/settings/llm_type/")).json()).toEqual([
    { name: "visavis-retrieval", service: "visavis" },
    { name: "ready", service: "openai" },
  ]);
  const fields = { capability: ["LLM"], prompt: run.demo.id };
  for (const llm_type of ["no-address", "no-settings"]) {
    const response = await run.send("POST", "/api/v1/session/", { ...fields, llm_type });
    expect(((await response.json()) as ErrorBody).errors).toMatchObject([
      { code: "does_not_exist", attr: "llm_type" },
    ]);
  }
  await run.session({ ...fields, llm_type: "ready" });
});

test("the call to the engine ends when the client disconnects, before and after the first piece", async () => {
  const silent = await runChatServer(() => undefined);
  const talking = await runChatServer((response) => void response.write(chunk({ content: "It " })));
  const run = await runEngines();
  await run.putChatModel("silent", silent.url);
  await run.putChatModel("talking", talking.url);
  const ask = async (llm_type: string, signal: AbortSignal) => {
    const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, llm_type });
    const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }] });
    const headers = { "Content-Type": "application/json" };
    const path = `/api/v1/session/${session}/llm/v2/`;
    return run.request(path, { method: "POST", body, headers, signal });
  };
  const abort = new AbortController();
  const waiting = ask("silent", abort.signal);
  await expect.poll(() => silent.requests.length).toBe(1);
  abort.abort();
  await silent.closed();
  expect(await (await waiting).text()).toBe("");
  const response = await ask("talking", new AbortController().signal);
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await talking.closed();
});

test("the call to the engine ends when the connection breaks", async () => {
  const silent = await runChatServer(() => undefined);
  const run = await runEngines();
  await run.putChatModel("silent", silent.url);
  const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, llm_type: "silent" });
  const server = await listen((request) => run.service.app.fetch(request), 0);
  onTestFinished(() => server.close(0));
  const abort = new AbortController();
  const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }] });
  const asked = fetch(`http://127.0.0.1:${server.port}/api/v1/session/${session}/llm/v2/`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
    signal: abort.signal,
  }).catch((error: unknown) => error);
  await expect.poll(() => silent.requests.length).toBe(1);
  abort.abort();
  expect(await asked).toBeInstanceOf(Error);
  await silent.closed();
});

test("an engine's error is sent as an event of the stream, after the text so far", async () => {
  const chat = await runChatServer((response) => {
    response.writeHead(200).write(chunk({ content: "It costs " }), () => response.destroy());
  });
  const run = await runEngines();
  await run.putChatModel("chat", chat.url);
  const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, llm_type: "chat" });
  expect(await run.ask(session, "How much?")).toEqual([
    piece("It costs "),
    { status: "error", reason: "The answer was interrupted. Ask again." },
  ]);
});

test.each([
  [{ tools: [{ type: "function", function: {} }] }, "tools.0.function.name", "required"],
  [{ tools: [{ type: "web", function: { name: "a" } }] }, "tools.0.type", "invalid_choice"],
  [{ tools: [tool("a b")] }, "tools.0.function.name", "invalid"],
  [{ tools: "all" }, "tools", "invalid"],
  [{ messages: [{ role: "user", content: 5 }] }, "messages.0.content", "invalid"],
  [{ messages: [{ role: "user", content: null }] }, "messages.0.content", "null"],
  [{ messages: [{ role: "assistant", content: null, tool_calls: [] }] }, "messages.0.content", "null"],
  [{ messages: Array(501).fill({ role: "user", content: "x" }) }, "messages", "max_length"],
  [{ tools: Array(65).fill(tool("a")) }, "tools", "max_length"],
  [{ messages: [{ role: "user", content: "x".repeat(32_769) }] }, "messages.0.content", "max_length"],
  [
    { messages: [{ role: "assistant", content: "", tool_calls: [{ id: "a", type: "function" }] }] },
    "messages.0.tool_calls.0.function",
    "required",
  ],
])("a bad field is named: %#", async (fields, attr, code) => {
  const run = await runEngines();
  const session = await run.newSession();
  const messages = [{ role: "user", content: "Hello" }];
  const response = await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages, ...fields });
  expect(response.status).toBe(400);
  expect(((await response.json()) as ErrorBody).errors).toMatchObject([{ attr, code }]);
});
