import { createHash } from "node:crypto";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ToolServer } from "../language-model.ts";
import { LostConnection, type McpConnection } from "./mcp-connection.ts";

/** How long a connection is kept after its last use, for the next turns of a conversation. */
const keptMs = 60_000;
/** How long a server is not called after a failed connection, so that not every turn waits for it. */
const avoidedMs = 15_000;

/** Connections to tool servers. Sessions share the connection to a server if they use it with the same settings. */
export interface McpConnections {
  tools(server: ToolServer): Promise<readonly Tool[]>;
  call(
    server: ToolServer,
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<CallToolResult>;
  close(): Promise<void>;
}

interface Kept {
  connection: Promise<McpConnection>;
  timer: NodeJS.Timeout;
}

/** The key of a server's connection. The header is part of it, because for the server another header is another client. */
function keyOf(server: ToolServer): string {
  const { url, transport_protocol, auth_header, server_timeout_sec, trusted, isOperators } = server;
  const identity = [url, transport_protocol, auth_header, server_timeout_sec, trusted, isOperators];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}

/** The protocol's library takes half a second and 15 MB, so it is loaded at the first use of a tool server. */
async function connect(server: ToolServer, fetch: FetchLike): Promise<McpConnection> {
  const { connectMcpServer } = await import("./mcp-connection.ts");
  return connectMcpServer(server, fetch);
}

/** The open connections, by server. */
class KeptConnections {
  readonly #fetch: (server: ToolServer) => FetchLike;
  readonly #kept = new Map<string, Kept>();

  constructor(fetch: (server: ToolServer) => FetchLike) {
    this.#fetch = fetch;
  }

  /** The connection to a server; opens a new one if there is none. */
  connected(server: ToolServer): Promise<McpConnection> {
    const key = keyOf(server);
    const known = this.#kept.get(key);
    if (known) {
      known.connection.then(() => this.#endLater(key, known, keptMs)).catch(() => undefined);
      return known.connection;
    }
    const connection = connect(server, this.#fetch(server));
    const entry: Kept = { connection, timer: setTimeout(() => undefined, 0) };
    this.#kept.set(key, entry);
    connection.then(
      (made) => {
        this.#endLater(key, entry, keptMs);
        made.onGone(() => this.#drop(key, entry));
      },
      () => this.#endLater(key, entry, avoidedMs),
    );
    return connection;
  }

  /** Closes the connection to a server, if there is one. */
  async forget(server: ToolServer): Promise<void> {
    const key = keyOf(server);
    const entry = this.#kept.get(key);
    if (!entry) return;
    this.#drop(key, entry);
    await entry.connection.then((connection) => connection.close()).catch(() => undefined);
  }

  async close(): Promise<void> {
    const entries = [...this.#kept];
    for (const [key, entry] of entries) this.#drop(key, entry);
    await Promise.allSettled(
      entries.map(async ([, { connection }]) => {
        await (await connection).close();
      }),
    );
  }

  #drop(key: string, entry: Kept): void {
    clearTimeout(entry.timer);
    if (this.#kept.get(key) === entry) this.#kept.delete(key);
  }

  #endLater(key: string, entry: Kept, afterMs: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      this.#drop(key, entry);
      entry.connection.then((connection) => connection.close()).catch(() => undefined);
    }, afterMs).unref();
  }
}

/** Opens connections when they are needed. `fetch` returns the function that may call a server's address. */
export function createMcpConnections(fetch: (server: ToolServer) => FetchLike): McpConnections {
  const connections = new KeptConnections(fetch);

  /** Uses a server's connection. If the server no longer knows it, tries once more over a new connection. */
  async function use<Result>(server: ToolServer, act: (connection: McpConnection) => Promise<Result>) {
    try {
      return await act(await connections.connected(server));
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      await connections.forget(server);
      if (!error.isForgotten) throw error;
      return await act(await connections.connected(server));
    }
  }

  return {
    tools: (server) => use(server, (connection) => connection.tools()),
    call: (server, name, args, signal) => use(server, (connection) => connection.call(name, args, signal)),
    close: () => connections.close(),
  };
}
