import { describe, expect, onTestFinished, test } from "vitest";
import { tryToolServer } from "../../../../src/service/administration/trials/engine-trials.ts";
import { withBoundedMessages } from "../../../../src/service/language/mcp/bounded-messages.ts";
import { createMcpConnections } from "../../../../src/service/language/mcp/mcp-connections.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { calling, runChatServer, saying, streams } from "../engines/chat-completions/chat-server.ts";
import { oddMcpServer } from "./odd-mcp-server.ts";
import { answerWith, sharingModels, toolServer } from "./tool-turns.ts";

function connections() {
  const outbound = createOutboundCalls({ allowPrivate: true });
  const made = createMcpConnections((server) => outbound.engine(server));
  onTestFinished(() => made.close());
  return made;
}

/** What the owner reads after a test. */
const tried = ({ url }: { url: string }) =>
  tryToolServer(
    async (server) => (await connections().tools(server)).map(({ name }) => name),
    toolServer(url),
  );

const tool = (fields: object) => ({ description: "Finds", inputSchema: { type: "object" }, ...fields });
const good = tool({ name: "good" });

type Answer = Parameters<typeof oddMcpServer>[0];

/** A server with the tool `good`, which answers a call so. */
const calledWith = (answer: Answer) =>
  oddMcpServer((request, session) => {
    if (request.method === "tools/list") return { result: { tools: [good] } };
    return request.method === "tools/call" ? answer(request, session) : undefined;
  });

/** Calls the tool `good`. */
const call = async (made: ReturnType<typeof connections>, { url }: { url: string }) =>
  (await made.call(toolServer(url), "good", {}, undefined)).content;

/** One turn in which the model calls the tool `good`: what it reads as the tool's result, and the log. */
async function turnWith({ url }: { url: string }) {
  const { modelAt, log } = sharingModels();
  const answers = [calling({ id: "c1", name: "good", args: {} }), saying("Done.")];
  const chat = await runChatServer(...answers.map(streams));
  await answerWith(modelAt(chat), [toolServer(url)]);
  return { read: chat.requests[1]?.body.messages.at(-1)?.content, log: log() };
}

describe("each tool of a list counts for itself", () => {
  const both = ["odd", "good"];
  test.each<[string, unknown, string[]]>([
    ["an empty schema", { name: "odd", inputSchema: {} }, both],
    ["no schema", { name: "odd" }, both],
    ["a schema that is null", { name: "odd", inputSchema: null }, both],
    [
      "properties that are plain values",
      tool({ name: "odd", inputSchema: { properties: { a: true } } }),
      both,
    ],
    ["an output's schema that is none", tool({ name: "odd", outputSchema: { type: "array" } }), both],
    [
      "notes that are wrong",
      tool({ name: "odd", annotations: { readOnlyHint: "yes" }, description: 3 }),
      both,
    ],
    ["arguments that are no object", { name: "odd", inputSchema: { type: "string" } }, ["good"]],
    ["no name", tool({}), ["good"]],
    ["nothing at all", null, ["good"]],
  ])("beside one with %s", async (_what, odd, names) => {
    const { url } = await oddMcpServer(({ method }) =>
      method === "tools/list" ? { result: { tools: [odd, good], nextCursor: null } } : undefined,
    );
    const tools = await connections().tools(toolServer(url));
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[0]?.inputSchema.type).toBe("object");
  });
});

describe("the owner is told why a server refuses", () => {
  const statusIs = "The tool server answered with status";
  const says = (status: number, words: string) => `${statusIs} ${status}. Its server says: ${words}`;
  const version = { code: -32_000, message: "Unsupported version of key sk-abcdef12" };
  const scope = { error: "invalid_token", message: "Token sk-abcdef123456 has no scope tools." };
  test.each([
    [{ status: 401, headers: { "www-authenticate": "Bearer" } }, `${statusIs} 401.`],
    [{ status: 403, body: JSON.stringify(scope) }, says(403, "invalid_token.")],
    [
      { status: 400, body: JSON.stringify({ jsonrpc: "2.0", error: version, id: null }) },
      says(400, "Unsupported version of key …."),
    ],
    [{ status: 502, body: "<html>Bad gateway</html>" }, `${statusIs} 502.`],
  ])("%j", async (refusal, detail) => {
    expect(await tried(await oddMcpServer(() => refusal))).toMatchObject({ outcome: "failed", detail });
  });

  test("in the protocol's words, where it lists no tools", async () => {
    const server = await oddMcpServer(({ method }) =>
      method === "tools/list" ? { error: { code: -32_603, message: "no database at db1" } } : undefined,
    );
    expect((await tried(server)).detail).toBe(
      "The tool server refused the request. Its server says: no database at db1.",
    );
  });

  test("and the log has it, without keys", async () => {
    const body = '{"detail":"key sk-abcdef123456 expired"}';
    const { log } = await turnWith(await oddMcpServer(() => ({ status: 401, body })));
    expect(log).toContain('"status":401,"detail":"key … expired"');
  });
});

describe("the model is told what a server says of a call", () => {
  const correctable = { error: { code: -32_602, message: "query: field required" } };
  const table = { type: "table", rows: 2 };
  test.each<[string, ReturnType<Answer>, string]>([
    ["an error of the protocol, which it can correct", correctable, "Error: query: field required"],
    [
      "a result with parts of another kind",
      { result: { content: [table, "seven"] } },
      '{"type":"table","rows":2}\nseven',
    ],
    ["a result with one text", { result: { content: "seven" } }, "seven"],
    ["a result with no content", { result: { structuredContent: { stock: 7 } } }, '{"stock":7}'],
    ["a result with content that is null", { result: { content: null } }, "(no content)"],
  ])("%s", async (_what, answer, read) => {
    expect((await turnWith(await calledWith(() => answer))).read).toBe(read);
  });
});

test.each<[string, ReturnType<Answer>]>([
  ["404", { status: 404 }],
  ["400 with a word", { status: 400, body: "Bad Request: No valid session ID provided" }],
  ["400 without a word", { status: 400 }],
  ["an error of the protocol", { error: { code: -32_600, message: "Session not found" } }],
])("a server that does not know a session any more gets a new one: %s", async (_what, refusal) => {
  let isRestarted = false;
  const server = await calledWith((_request, session) =>
    isRestarted && session === "s1" ? refusal : { result: { content: "seven" } },
  );
  const made = connections();
  await made.tools(toolServer(server.url));
  isRestarted = true;
  expect(await call(made, server)).toEqual([{ type: "text", text: "seven" }]);
  expect(server.sessions()).toBe(2);
});

test("a server that refuses every call with 400 is asked twice, and no more", async () => {
  const server = await calledWith(() => ({ status: 400, body: "no" }));
  await expect(call(connections(), server)).rejects.toThrow();
  expect(server.sessions()).toBe(2);
});

describe("a message of a server may be large, and not any size", () => {
  test("in the result of a tool", async () => {
    const texts = ["a".repeat(1_000_000), "a".repeat(5_000_000)];
    const server = await calledWith(() => ({
      result: { content: [{ type: "text", text: texts.shift() ?? "" }] },
    }));
    const made = connections();
    expect(await call(made, server)).toEqual([{ type: "text", text: "a".repeat(1_000_000) }]);
    await expect(call(made, server)).rejects.toThrow();
  });

  const event = `data: ${"x".repeat(1024 * 1024)}`;

  /** How many bytes of an answer in these parts arrive. */
  async function arriving(type: string, parts: string[]): Promise<number> {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const answer = withBoundedMessages(new Response(body, { headers: { "content-type": type } }));
    return (await answer.arrayBuffer()).byteLength;
  }

  test.each([
    ["with their ends", [`${event}\n\n`]],
    ["apart from their ends", [event, "\n\n"]],
    ["with half of their ends", [`${event}\r\n`, "\r\n"]],
    ["in parts", [...event.match(/[^]{1,60000}/g)!, "\n\n"]],
  ])("a stream has any number of messages, written %s", async (_, written) => {
    const parts = Array.from({ length: 6 }, () => written).flat();
    expect(await arriving("text/event-stream; charset=utf-8", parts)).toBe(parts.join("").length);
  });

  test("a message above 4 MiB ends a stream, and a whole answer", async () => {
    const parts = Array.from({ length: 5 }, () => event);
    for (const type of ["text/event-stream", "application/json"])
      await expect(arriving(type, parts)).rejects.toThrow("larger than 4194304 bytes");
  });
});
