import { describe, expect, onTestFinished, test } from "vitest";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { ToolServer } from "../../../../src/service/language/language-model.ts";
import { createMcpConnections } from "../../../../src/service/language/mcp/mcp-connections.ts";
import { withBoundedMessages } from "../../../../src/service/language/mcp/bounded-messages.ts";
import { tryToolServer } from "../../../../src/service/administration/trials/engine-trials.ts";
import { calling, runChatServer, saying, streams } from "../engines/chat-completions/chat-server.ts";
import { oddMcpServer } from "./odd-mcp-server.ts";

const row = (url: string, fields: Partial<ToolServer> = {}): ToolServer => ({
  ...{ mcpserver_id: "m1", name: "shop", organization: "", url, description: "", auth_header: null },
  ...{ transport_protocol: "streamable_http", server_timeout_sec: 60, extra_data: null },
  ...{ trusted: true, isOperators: true },
  ...fields,
});

function connections() {
  const outbound = createOutboundCalls({ allowPrivate: true });
  const made = createMcpConnections((server) => outbound.engine(server));
  onTestFinished(() => made.close());
  return made;
}

/** What the owner reads after a test. */
const tried = (url: string) =>
  tryToolServer(async (server) => (await connections().tools(server)).map(({ name }) => name), row(url));

const tool = (fields: object) => ({ description: "Finds", inputSchema: { type: "object" }, ...fields });
const good = tool({ name: "good" });

/** One turn in which the model calls the tool `good`: what it reads as the tool's result, and the log. */
async function turnWith(url: string) {
  const lines: unknown[] = [];
  const record = (...line: unknown[]) => void lines.push(line);
  const log = { debug: record, info: record, warn: record, error: record };
  const models = createLanguageModels({ log, outbound: createOutboundCalls({ allowPrivate: true }) });
  onTestFinished(() => models.close());
  const chat = await runChatServer(
    streams(calling({ id: "c1", name: "good", args: {} })),
    streams(saying("Done.")),
  );
  const model = models.model({
    ...{ id: "a", name: "a", isOperators: true, body: { name: "a", service: "onpremise" } },
    engine: { base_url: chat.url, model: "m1" },
  })!;
  const turn = { systemPrompt: "", messages: [{ role: "user" as const, content: "Hi" }], tools: [] };
  const events: unknown[] = [];
  for await (const event of model.answer({ ...turn, mcpServers: [row(url)] })) events.push(event);
  return { read: chat.requests[1]?.body.messages.at(-1)?.content, log: JSON.stringify(lines) };
}

describe("each tool of a list counts for itself", () => {
  test.each<[string, unknown, string[]]>([
    ["an empty schema", { name: "odd", inputSchema: {} }, ["odd", "good"]],
    ["no schema", { name: "odd" }, ["odd", "good"]],
    ["a schema that is null", { name: "odd", inputSchema: null }, ["odd", "good"]],
    [
      "properties that are plain values",
      tool({ name: "odd", inputSchema: { properties: { a: true } } }),
      ["odd", "good"],
    ],
    [
      "an output's schema that is none",
      tool({ name: "odd", outputSchema: { type: "array" } }),
      ["odd", "good"],
    ],
    [
      "notes that are wrong",
      tool({ name: "odd", annotations: { readOnlyHint: "yes" }, description: 3 }),
      ["odd", "good"],
    ],
    ["arguments that are no object", { name: "odd", inputSchema: { type: "string" } }, ["good"]],
    ["no name", tool({}), ["good"]],
    ["nothing at all", null, ["good"]],
  ])("beside one with %s", async (_what, odd, names) => {
    const { url } = await oddMcpServer(({ method }) =>
      method === "tools/list" ? { result: { tools: [odd, good], nextCursor: null } } : undefined,
    );
    expect((await connections().tools(row(url))).map(({ name }) => name)).toEqual(names);
    expect((await connections().tools(row(url)))[0]?.inputSchema.type).toBe("object");
  });
});

describe("the owner is told why a server refuses", () => {
  test.each([
    [{ status: 401, headers: { "www-authenticate": "Bearer" } }, "The tool server answered with status 401."],
    [
      {
        status: 403,
        body: '{"error":"invalid_token","message":"Token sk-abcdef123456 has no scope tools."}',
      },
      "The tool server answered with status 403. Its server says: invalid_token.",
    ],
    [
      {
        status: 400,
        body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Unsupported version of key sk-abcdef12"},"id":null}',
      },
      "The tool server answered with status 400. Its server says: Unsupported version of key ….",
    ],
    [{ status: 502, body: "<html>Bad gateway</html>" }, "The tool server answered with status 502."],
  ])("%j", async (refusal, detail) => {
    const { url } = await oddMcpServer(() => refusal);
    expect(await tried(url)).toMatchObject({ outcome: "failed", detail });
  });

  test("in the protocol's words, where it lists no tools", async () => {
    const { url } = await oddMcpServer(({ method }) =>
      method === "tools/list" ? { error: { code: -32603, message: "no database at db1" } } : undefined,
    );
    expect((await tried(url)).detail).toBe(
      "The tool server refused the request. Its server says: no database at db1.",
    );
  });

  test("and the log has it, without keys", async () => {
    const { url } = await oddMcpServer(() => ({
      status: 401,
      body: '{"detail":"key sk-abcdef123456 expired"}',
    }));
    const { log } = await turnWith(url);
    expect(log).toContain('"status":401,"detail":"key … expired"');
  });
});

describe("the model is told what a server says of a call", () => {
  const called = (answer: Parameters<typeof oddMcpServer>[0]) =>
    oddMcpServer((request, session) =>
      request.method === "tools/list" ? { result: { tools: [good] } } : answer(request, session),
    );

  test("an error of the protocol, which it can correct", async () => {
    const { url } = await called(({ method }) =>
      method === "tools/call" ? { error: { code: -32602, message: "query: field required" } } : undefined,
    );
    expect((await turnWith(url)).read).toBe("Error: query: field required");
  });

  test.each([
    [
      "parts of another kind",
      { content: [{ type: "table", rows: 2 }, "seven"] },
      '{"type":"table","rows":2}\nseven',
    ],
    ["one text", { content: "seven" }, "seven"],
    ["no content", { structuredContent: { stock: 7 } }, '{"stock":7}'],
    ["content that is null", { content: null }, "(no content)"],
  ])("a result with %s", async (_what, result, read) => {
    const { url } = await called(({ method }) => (method === "tools/call" ? { result } : undefined));
    expect((await turnWith(url)).read).toBe(read);
  });
});

test.each([
  ["404", { status: 404 }],
  ["400 with a word", { status: 400, body: "Bad Request: No valid session ID provided" }],
  ["400 without a word", { status: 400 }],
  ["an error of the protocol", { error: { code: -32_600, message: "Session not found" } }],
])("a server that does not know a session any more gets a new one: %s", async (_what, refusal) => {
  let isRestarted = false;
  const server = await oddMcpServer(({ method }, session) => {
    if (isRestarted && session === "s1") return refusal;
    if (method === "tools/list") return { result: { tools: [good] } };
    return method === "tools/call" ? { result: { content: "seven" } } : undefined;
  });
  const made = connections();
  await made.tools(row(server.url));
  isRestarted = true;
  const result = await made.call(row(server.url), "good", {}, undefined);
  expect(result.content).toEqual([{ type: "text", text: "seven" }]);
  expect(server.sessions()).toBe(2);
});

test("a server that refuses every call with 400 is asked twice, and no more", async () => {
  const server = await oddMcpServer(({ method }) => {
    if (method === "tools/list") return { result: { tools: [good] } };
    return method === "tools/call" ? { status: 400, body: "no" } : undefined;
  });
  await expect(connections().call(row(server.url), "good", {}, undefined)).rejects.toThrow();
  expect(server.sessions()).toBe(2);
});

test("a message of a server may be large, and not any size", async () => {
  const texts = ["a".repeat(1_000_000), "a".repeat(5_000_000)];
  const server = await oddMcpServer(({ method }) => {
    if (method === "tools/list") return { result: { tools: [good] } };
    if (method !== "tools/call") return undefined;
    return { result: { content: [{ type: "text", text: texts.shift() ?? "" }] } };
  });
  const made = connections();
  const read = await made.call(row(server.url), "good", {}, undefined);
  expect(read.content).toEqual([{ type: "text", text: "a".repeat(1_000_000) }]);
  await expect(made.call(row(server.url), "good", {}, undefined)).rejects.toThrow();
});

test("a stream of events goes on for any length, and ends at an event that is too large", async () => {
  const part = new TextEncoder().encode(`data: ${"a".repeat(60_000)}\n`);
  const line = new TextEncoder().encode("\n\n");
  const answer = (events: number, parts: number) => {
    const event = [...Array.from({ length: parts }, () => part), line];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let made = 0; made < events; made++) for (const piece of event) controller.enqueue(piece);
        controller.close();
      },
    });
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    return withBoundedMessages(new Response(body, { headers })).arrayBuffer();
  };
  expect((await answer(8, 60)).byteLength).toBe(8 * (60 * part.length + line.length));
  await expect(answer(1, 80)).rejects.toMatchObject({ code: "too_large" });
});
