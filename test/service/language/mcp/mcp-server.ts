/* oxlint-disable typescript/no-deprecated -- the older transport is tested too */
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { bodyOf, serveLocally } from "../../../local-server.ts";

export interface RunningMcpServer {
  url: string;
  /** Headers of every request. */
  headers: IncomingHttpHeaders[];
  /** How many clients have connected so far. */
  connections(): number;
  /** Adds a tool to every client's server, and tells the clients. */
  addTool(name: string, run: () => CallToolResult): void;
  /** Forgets every client, as a restarted server does. */
  forget(): void;
}

export interface McpServerOptions {
  protocol: "sse" | "streamable_http";
  /** Adds the tools of one client's server. */
  tools: (server: McpServer) => void;
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const text = await bodyOf(request);
  return text === "" ? undefined : JSON.parse(text);
}

/** A real tool server, made with the SDK, on a free port. */
export async function runMcpServer({ protocol, tools }: McpServerOptions): Promise<RunningMcpServer> {
  const headers: IncomingHttpHeaders[] = [];
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const sse = new Map<string, SSEServerTransport>();
  const servers: McpServer[] = [];

  async function connect(transport: Transport): Promise<void> {
    const server = new McpServer({ name: "test", version: "1" });
    servers.push(server);
    tools(server);
    await server.connect(transport);
  }

  async function overStreams(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await jsonBody(request);
    const id = request.headers["mcp-session-id"];
    let transport = typeof id === "string" ? streamable.get(id) : undefined;
    if (!transport) {
      if (!isInitializeRequest(body)) return void response.writeHead(404).end();
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void streamable.set(session, made),
      });
      transport = made;
      await connect(made);
    }
    await transport.handleRequest(request, response, body);
  }

  async function overEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = new URL(request.url ?? "", "http://test").searchParams.get("sessionId");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/mcp", response);
      sse.set(transport.sessionId, transport);
      await connect(transport);
      return;
    }
    const transport = session === null ? undefined : sse.get(session);
    if (!transport) return void response.writeHead(404).end();
    await transport.handlePostMessage(request, response, await jsonBody(request));
  }

  const { origin } = await serveLocally((request, response) => {
    headers.push(request.headers);
    const handle = protocol === "sse" ? overEvents : overStreams;
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url: `${origin}/mcp`,
    headers,
    connections: () => servers.length,
    addTool(name, run) {
      for (const server of servers) server.registerTool(name, {}, run);
    },
    forget() {
      streamable.clear();
      sse.clear();
    },
  };
}
