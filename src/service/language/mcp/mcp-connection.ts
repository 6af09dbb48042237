import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { TimeLimit, within } from "../../../timing/time-limit.ts";
import { mcpTimeoutRangeSec, type ToolServer } from "../language-model.ts";
import { withBoundedMessages } from "./bounded-messages.ts";
import { readableResult, toolListSchema, toolResultSchema, usableTools } from "./server-answers.ts";
import { isForgetting, refusalIn } from "./tool-server-error.ts";

/** A connection to a tool server that can no longer be used. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** The server no longer knows the connection, for example after a restart, so the request was not carried out. */
  readonly isForgotten: boolean;

  constructor(isForgotten: boolean, cause: unknown) {
    super("The connection to the tool server is lost.", { cause });
    this.isForgotten = isForgotten;
  }
}

/** A connected tool server (Model Context Protocol, Tools). */
export interface McpConnection {
  tools(): Promise<readonly Tool[]>;
  /** Rejects when the server does not answer in time or violates the protocol. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<CallToolResult>;
  /** Calls the listener once, when the connection to the server is lost. */
  onGone(listener: () => void): void;
  close(): Promise<void>;
}

/** More tools than a model can choose from. Also a limit for servers with endless pages. */
const maxTools = 128;
const maxPages = 16;

/** `Bearer …` is a value of Authorization; `X-Key: …` contains its own header name. */
function authHeaders({ auth_header: header }: ToolServer): Record<string, string> {
  if (!header) return {};
  const named = /^([A-Za-z0-9-]+):\s*(\S.*)$/.exec(header);
  return named?.[1] && named[2] ? { [named[1]]: named[2] } : { Authorization: header };
}

function transportOf(server: ToolServer, fetch: FetchLike): Transport {
  const url = new URL(server.url);
  const bounded: FetchLike = async (address, request) => withBoundedMessages(await fetch(address, request));
  const options = { fetch: bounded, requestInit: { headers: authHeaders(server) } };
  // The interface's `sse` means the older of the two transports.
  // oxlint-disable-next-line typescript/no-deprecated
  if (server.transport_protocol === "sse") return new SSEClientTransport(url, options);
  return new StreamableHTTPClientTransport(url, options);
}

/** The library's own limit blames the server also where this process was busy, so ours ends the wait. */
const noLimit = { timeout: 2_147_483_647 };

/** Sends a request whose answer may take so long, or until the signal is aborted. */
async function limited<Result>(
  limitMs: number,
  signal: AbortSignal | undefined,
  send: (options: { timeout: number; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const limit = new TimeLimit(limitMs, () =>
    abort.abort(McpError.fromError(ErrorCode.RequestTimeout, "Request timed out")),
  );
  const either = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
  try {
    return await send({ ...noLimit, signal: either });
  } finally {
    limit.end();
  }
}

async function listTools(client: Client, timeoutMs: number): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && tools.length < maxTools; page++) {
    // Not `client.listTools`, because it compiles every schema that the server sends.
    const request = { method: "tools/list" as const, params: cursor === undefined ? {} : { cursor } };
    const list = await limited(timeoutMs, undefined, (options) =>
      client.request(request, toolListSchema, options),
    );
    tools.push(...usableTools(list.tools));
    cursor = list.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return tools.slice(0, maxTools);
}

/** How long a server gets to receive the end of the session. */
const farewellMs = 1_000;

async function end(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport)
    await inTime(farewellMs, transport.terminateSession()).catch(() => undefined);
  await client.close().catch(() => undefined);
}

/** Separates connection errors from errors that the server reports over the connection. */
async function overConnection<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  return work.catch((error: unknown) => {
    // When a visitor leaves, others may still be using the connection.
    if (signal?.aborted) throw error;
    const refusal = refusalIn(error);
    if (refusal && isForgetting(refusal)) throw new LostConnection(true, refusal);
    // What is refused over the protocol leaves the connection as it is.
    if (error instanceof McpError) throw refusal ?? error;
    throw new LostConnection(false, refusal ?? error);
  });
}

/** Rejects when the work takes longer than the limit. */
function inTime<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return within(limitMs, work, () => {
    throw new Error("The tool server did not answer in time.");
  });
}

function limitMs({ server_timeout_sec: seconds }: ToolServer): number {
  const [least, most] = mcpTimeoutRangeSec;
  return Math.min(most, Math.max(least, seconds)) * 1000;
}

/**
 * Connects to a tool server and lists its tools. Rejects when it cannot be reached, or does not answer within its
 * `server_timeout_sec`.
 */
export async function connectMcpServer(server: ToolServer, fetch: FetchLike): Promise<McpConnection> {
  const timeout = limitMs(server);
  const client = new Client({ name: "visavis", version: "1" });
  const transport = transportOf(server, fetch);
  const list = (): Promise<Tool[]> =>
    client.getServerCapabilities()?.tools
      ? overConnection(listTools(client, timeout))
      : Promise.resolve<Tool[]>([]);
  let tools: Promise<Tool[]>;
  let gone: (() => void) | undefined;
  client.onclose = () => gone?.();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    const before = tools;
    tools = list().catch(() => before);
  });
  try {
    // The older transport waits for a server's first event without a limit.
    await inTime(timeout, client.connect(transport, noLimit));
    tools = list();
    await tools;
  } catch (error) {
    await end(client, transport);
    throw refusalIn(error) ?? error;
  }
  return {
    tools: () => tools,
    call: (name, args, signal) =>
      overConnection(
        limited(timeout, signal, (options) =>
          client.request(
            { method: "tools/call", params: { name, arguments: args } },
            toolResultSchema,
            options,
          ),
        ).then(readableResult),
        signal,
      ),
    onGone: (listener) => (gone = listener),
    close: () => end(client, transport),
  };
}
