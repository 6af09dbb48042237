import type { ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, onTestFinished } from "vitest";
import { listen } from "../../../src/command-line/http/http-server.ts";
import { errorsOf, jsonOf, refusalOf } from "../answers.ts";
import { mcpServerBody, runEngines, type RunningEngines, saidBy } from "../engines-fixture.ts";
import {
  calling,
  type ChatAnswer,
  chunk,
  runChatServer,
  saying,
  streams,
} from "../language/engines/chat-completions/chat-server.ts";
import { agentEvents, runAgentServer } from "../language/engines/interactive-agent/agent-server.ts";
import { runMcpServer } from "../language/mcp/mcp-server.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runEngines);

const tool = (name: string, description = "") => ({
  type: "function" as const,
  function: { name, description, parameters: { type: "object" } },
});
const piece = (content: string) => ({ status: "success", type: "message", role: "assistant", content });
const speaking = { tts_type: "visavis-slt", model_style: "mina" };
const hello = { messages: [{ role: "user", content: "Hello" }] };
const answersOf = (session: string) => `/api/v1/session/${session}/llm/v2/`;

/** A session whose model answers so. */
async function chatSession(run: RunningEngines, fields: object, ...answers: ChatAnswer[]) {
  const chat = await runChatServer(...answers);
  await run.putChatModel("chat", chat.url);
  const session = await run.session({
    capability: ["LLM"],
    prompt: run.demo.id,
    llm_type: "chat",
    ...fields,
  });
  return { chat, session };
}

describe("capabilities", () => {
  const texts = ["The chair ", "costs 480 euros. ", "Do you ", "want it?"];
  const sentences = ["The chair costs 480 euros. ", "Do you want it?"];

  test.for<[capability: string[], fields: object, pieces: string[]]>([
    [["LLM"], {}, texts],
    [["LLM", "STF_ONPREMISE"], { model_style: "mina" }, texts],
    [["LLM", "TTS"], { tts_type: "visavis-slt" }, sentences],
    [["STF_WEBRTC"], speaking, sentences],
    [["STF_WEBRTC", "LLM", "TTS"], speaking, sentences],
    [["STF_ONPREMISE", "LLM", "TTS"], speaking, sentences],
  ])("%j: what is spoken comes in sentences, the rest as the model writes it", async (row, { run }) => {
    const [capability, fields, pieces] = row;
    const { session } = await chatSession(run, { capability, ...fields }, streams(saying(...texts)));
    expect(await run.ask(session, "How much?")).toEqual(pieces.map(piece));
  });

  test.for<[capability: string[], fields: object]>([
    [["TTS"], { tts_type: "visavis-slt" }],
    [["STF_ONPREMISE"], { model_style: "mina" }],
  ])("%j: there is no answer", async ([capability, fields], { run }) => {
    const session = await run.session({ capability, ...fields });
    expect((await refusalOf(run.send("POST", answersOf(session), hello)))[0]).toBe(400);
  });

  test("LLM alone: the session starts, sends heartbeats and ends without any media", async ({ own: run }) => {
    const fields = { llm_type: "visavis-retrieval", document: "visavis-guide" };
    const session = await run.session({ capability: ["LLM"], prompt: run.demo.id, ...fields });
    await run.event(session, "SESSION_START");
    expect(saidBy(await run.ask(session, "What does Visavis run on?"))).toContain("on your own machine");
    expect(await run.status(session)).toMatchObject({ status: "IN_PROGRESS" });
    await run.event(session, "SESSION_END");
    expect(await run.status(session)).toMatchObject({ status: "TERMINATED" });
    expect(run.media.exchanges).toEqual([]);
  });
});

test("a client's tool is called, and the conversation continues with its result", async ({ run }) => {
  const { chat, session } = await chatSession(
    run,
    {},
    streams(calling({ id: "c1", name: "open_page", args: { path: "/chairs" } })),
    streams(saying("There you are.")),
  );
  const tools = [tool("open_page")];
  const [call] = await run.ask(session, "Show me chairs", { tools });
  const called = { type: "tool_call", role: "assistant", content: "", tool_calls: [{ id: "c1" }] };
  expect(call).toMatchObject(called);
  const asked = { role: "user", content: "Show me chairs" };
  const result = { role: "tool", content: "opened", tool_call_id: "c1" };
  const { tool_calls } = call as { tool_calls?: object[] };
  for (const sentBack of [
    { ...call, status: undefined },
    // The chat completions format.
    { role: "assistant", content: null, tool_calls },
    { role: "assistant", tool_calls },
  ]) {
    const messages = [asked, sentBack, result];
    expect(saidBy(await run.ask(session, "", { tools, messages }))).toBe("There you are.");
    const given = chat.requests.at(-1)?.body.messages.slice(1);
    expect(given).toMatchObject([asked, { role: "assistant", tool_calls }, result]);
  }
});

function orderTools(server: McpServer): void {
  server.registerTool("order_state", {}, () => ({ content: [{ type: "text", text: "On its way." }] }));
}

async function putOrders(run: RunningEngines) {
  const orders = await runMcpServer({ protocol: "streamable_http", tools: orderTools });
  const body = { ...mcpServerBody("orders", orders.url, "Bearer mcp-secret"), mcpserver_id: "mcp-1" };
  await run.put("mcp_server", "mcp-1", body, null, { name: "orders" });
  return orders;
}

test.for(["orders", "mcp-1"])(
  "mcp_servers of a session are named by name or id, %s, and their secrets are not sent",
  async (named, { run }) => {
    const orders = await putOrders(run);
    const { session } = await chatSession(
      run,
      { mcp_servers: [named] },
      streams(calling({ id: "c1", name: "order_state", args: {} })),
      streams(saying("It is on its way.")),
    );
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

describe("an agent config", () => {
  const fields = { capability: ["LLM"], llm_type: "visavis-retrieval", agent_config: "a1" };
  const at = "2026-01-01T00:00:00.000Z";
  const put = (run: RunningEngines, config: unknown) =>
    run.put("agent_config", "a1", {
      agentconfig_id: "a1",
      name: "a1",
      created_at: at,
      updated_at: at,
      config,
    });

  test("brings its own prompt, tools, tool servers, language model and temperature", async ({ run }) => {
    await putOrders(run);
    const tools = [tool("open_page"), tool("close_page")];
    const model = { llm_type: "chat", temperature: 0.1, system_prompt: "Be brief.", canvas: { nodes: [] } };
    const config = { ...model, tools, mcp_servers: ["orders"] };
    await put(run, config);
    const { chat, session } = await chatSession(run, fields, streams(saying("ok")));
    await run.ask(session, "Hello", { tools: [tool("open_page", "The page's")] });
    const body = chat.requests[0]?.body;
    expect(body?.messages[0]?.content).toBe(`${run.demo.instructions}\n\nBe brief.`);
    expect(body?.temperature).toBe(0.1);
    expect(body?.tools?.map(({ function: { name, description } }) => [name, description])).toEqual([
      ["open_page", "The page's"],
      ["close_page", ""],
      ["order_state", ""],
    ]);
    expect(await jsonOf(run.get(`/api/v1/session/${session}/`))).toMatchObject({
      ...{ agent_config: { agentconfig_id: "a1", config }, session_acls: [] },
    });
  });

  test.for<[config: unknown, code: string, named: string]>([
    [{ temperature: 5 }, "invalid", "temperature"],
    [{ tools: [{ type: "function" }] }, "invalid", "tools.0.function"],
    [{ llm_type: "nobody" }, "does_not_exist", "nobody"],
    [{ mcp_servers: ["nowhere"] }, "does_not_exist", "nowhere"],
    ["text", "invalid", "config"],
  ])("%j takes no session: %s", async ([config, code, named], { run }) => {
    await put(run, config);
    const body = { ...fields, prompt: run.demo.id };
    const detail = expect.stringContaining(named) as string;
    const errors = await errorsOf(run.send("POST", "/api/v1/session/", body));
    expect(errors).toEqual([{ code, attr: "agent_config", detail }]);
  });

  test("without settings, and the older agent, change nothing; the built-in model calls no tools", async ({
    run,
  }) => {
    const orders = await putOrders(run);
    await put(run, null);
    const more = { document: "visavis-guide", agent: "free form", mcp_servers: ["orders"] };
    const session = await run.session({ ...fields, prompt: run.demo.id, ...more });
    expect(saidBy(await run.ask(session, "What does Visavis run on?"))).toContain("on your own machine");
    expect(orders.headers).toEqual([]);
  });
});

test("an llm_type whose engine is not available is not listed and cannot be named", async ({ own: run }) => {
  await run.put("llm_type", "ready", { name: "ready", service: "openai" }, { model: "m", api_key: "sk-1" });
  await run.put("llm_type", "no-address", { name: "no-address", service: "azure" }, { model: "m" });
  await run.put("llm_type", "no-settings", { name: "no-settings", service: "anthropic" });
  const listed = await jsonOf<{ name: string }[]>(run.get("/api/v1/settings/llm_type/"));
  expect(listed.map(({ name }) => name)).toEqual(["visavis-retrieval", "ready"]);
  const fields = { capability: ["LLM"], prompt: run.demo.id };
  for (const llm_type of ["no-address", "no-settings"]) {
    const refused = run.send("POST", "/api/v1/session/", { ...fields, llm_type });
    expect(await refusalOf(refused)).toEqual([400, "llm_type does_not_exist"]);
  }
  await run.session({ ...fields, llm_type: "ready" });
});

describe("the call to the engine ends", () => {
  const silent: ChatAnswer = () => undefined;
  const asking = {
    method: "POST",
    body: JSON.stringify(hello),
    headers: { "Content-Type": "application/json" },
  };

  test("when the client disconnects before the first piece", async ({ run }) => {
    const { chat, session } = await chatSession(run, {}, silent);
    const abort = new AbortController();
    const waiting = run.request(answersOf(session), { ...asking, signal: abort.signal });
    await expect.poll(() => chat.requests.length).toBe(1);
    abort.abort();
    await chat.closed();
    expect(await (await waiting).text()).toBe("");
  });

  test("when the client disconnects after the first piece", async ({ run }) => {
    const talking: ChatAnswer = (response) => void response.write(chunk({ content: "It " }));
    const { chat, session } = await chatSession(run, {}, talking);
    const reader = (await run.request(answersOf(session), asking)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await chat.closed();
  });

  test("when the connection breaks", async ({ run }) => {
    const { chat, session } = await chatSession(run, {}, silent);
    const server = await listen((request) => run.service.app.fetch(request), 0);
    onTestFinished(() => server.close(0));
    const abort = new AbortController();
    const url = `http://127.0.0.1:${server.port}${answersOf(session)}`;
    const asked = fetch(url, { ...asking, signal: abort.signal }).catch((error: unknown) => error);
    await expect.poll(() => chat.requests.length).toBe(1);
    abort.abort();
    expect(await asked).toBeInstanceOf(Error);
    await chat.closed();
  });
});

describe("an interactive agent", () => {
  const llmOnly = { capability: ["LLM"], interactive_agent_config: "pliac-shop" };
  const body = {
    ...{ interactiveagentconfig_id: "pliac-shop", name: "pliac-shop", description: "Sells chairs" },
    ...{ intro_message: "Hello.", organization: "shop" },
  };
  const put = (run: RunningEngines, engine: Record<string, unknown> | null) =>
    run.put("interactive_agent_config", "pliac-shop", body, engine);

  /** A session with an agent that answers so. */
  async function agentSession(
    run: RunningEngines,
    answer: (response: ServerResponse) => void,
    { settings = {}, ...fields }: { settings?: object; [field: string]: unknown } = {},
  ) {
    const agent = await runAgentServer(answer);
    await put(run, { url: agent.url, auth_header: "Bearer a1", allow_private: true, ...settings });
    return { agent, session: await run.session({ ...llmOnly, ...fields }) };
  }

  test("gets session, messages, tools, locale and variables of a turn, and answers it", async ({ run }) => {
    const said = agentEvents(piece("It costs "), piece("480 euros."));
    const { agent, session } = await agentSession(run, said, { text_normalization_locale: "en-GB" });
    const more = { tools: [tool("open_page")], variables: { page: "chairs" } };
    expect(saidBy(await run.ask(session, "How much?", more))).toBe("It costs 480 euros.");
    const accepted = { accept: "text/event-stream", "content-type": "application/json" };
    const messages = [{ role: "user", content: "How much?" }];
    expect(agent.requests).toEqual([
      {
        method: "POST",
        headers: expect.objectContaining({ authorization: "Bearer a1", ...accepted }) as object,
        body: { session_id: session, messages, locale: "en-GB", ...more },
      },
    ]);
  });

  test("may act, so that none of its answers begins early", async ({ run }) => {
    const { agent, session } = await agentSession(run, agentEvents(piece("Booked.")));
    const early = run.send("POST", `${answersOf(session)}early/`, hello);
    expect((await refusalOf(early)).join()).toMatch(/^400,.* invalid$/);
    expect(agent.requests).toEqual([]);
  });

  test("is described without its address", async ({ run }) => {
    await put(run, { url: "https://agent.example/turn", auth_header: "Bearer secret-a1" });
    const created = await jsonOf<{ session_id: string }>(run.send("POST", "/api/v1/session/", llmOnly));
    const retrieved = await jsonOf(run.get(`/api/v1/session/${created.session_id}/`));
    expect(retrieved).toMatchObject({ interactive_agent_config: body, prompt: null });
    expect(JSON.stringify([created, retrieved])).not.toMatch(/agent\.example|secret-a1/);
  });

  const call = { id: "c1", type: "function", function: { name: "open_page", arguments: "{}" } };
  const called = { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: [call] };
  const error = { status: "error", reason: "Closed for today." };
  const finish = { status: "success", type: "finish", role: "assistant", content: "" };
  const spoken = { capability: ["LLM", "TTS"], tts_type: "visavis-slt" };

  test.for<[what: string, sent: object[], got: object[], fields?: object]>([
    [
      ...["calls of the page's tools, and no events of unknown kinds"],
      ...[
        [{ status: "thinking" }, piece("Look."), called],
        [piece("Look."), called],
      ],
    ] as [string, object[], object[]],
    [
      "sentences of what is spoken",
      [piece("It costs 4"), piece("80 euros. Do you"), piece(" want it?")],
      [piece("It costs 480 euros. "), piece("Do you want it?")],
      spoken,
    ],
    [
      "its own reason of an error, and nothing after it",
      [piece("Well. "), error, piece("no")],
      [piece("Well. "), error],
    ],
    [
      "a finish event once, and nothing after it",
      [piece("Yes."), finish, piece("no")],
      [piece("Yes."), finish],
    ],
  ])("passes on %s", async ([, sent, got, fields], { run }) => {
    const { session } = await agentSession(run, agentEvents(...sent), { ...fields });
    const answer = await (await run.send("POST", answersOf(session), hello)).text();
    const events = answer.split("\n").filter((line) => line !== "");
    const whole =
      got.includes(finish) || got.includes(error) || got.includes(called) ? got : [...got, finish];
    expect(events.map((line) => JSON.parse(line.slice(6)) as unknown)).toEqual(whole);
  });

  test.for<[what: string, answer: (response: ServerResponse) => void, reason: string]>([
    ["a refusal", (response) => void response.writeHead(403).end("secret"), ""],
    ["a page", (response) => void response.end("<html>secret</html>"), ""],
    ["a connection that breaks off", (response) => void response.destroy(), ""],
    ["silence", () => undefined, "in time"],
  ])(
    "that answers with %s has failed, and nothing of it is passed on",
    async ([, answer, reason], { run }) => {
      const { session } = await agentSession(run, answer, { settings: { first_byte_sec: 0.05 } });
      const events = await run.ask(session, "Hello");
      expect(events).toEqual([{ status: "error", reason: expect.stringContaining(reason) as string }]);
      expect(JSON.stringify(events)).not.toContain("secret");
    },
  );

  test.for<[engine: Record<string, unknown> | null, named: string, code: string]>([
    [{ url: "https://agent.example/turn" }, "pliac-nobody", "does_not_exist"],
    [{ url: "https://agent.example/turn" }, "shop", "invalid"],
    [null, "pliac-shop", "does_not_exist"],
    [{ url: "ftp://agent.example" }, "pliac-shop", "does_not_exist"],
    [{ auth_header: "Bearer x" }, "pliac-shop", "does_not_exist"],
  ])("with the settings %j is not there as %s: %s", async ([engine, named, code], { run }) => {
    await put(run, engine);
    const fields = { ...llmOnly, interactive_agent_config: named };
    const refused = refusalOf(run.send("POST", "/api/v1/session/", fields));
    expect(await refused).toEqual([400, `interactive_agent_config ${code}`]);
  });
});
