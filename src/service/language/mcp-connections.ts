import { createHash } from "node:crypto";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ToolServer } from "./language-model.ts";
import { LostConnection } from "./lost-connection.ts";
import type { McpConnection } from "./mcp-connection.ts";

/** A connection is kept for the next turns of a conversation, this long after its last use. */
const keptMs = 60_000;
/** A server that could not be reached is not asked again for this long: every turn would wait for it. */
const avoidedMs = 15_000;

/** Connections to tool servers, shared by the turns of all sessions that use the same server in the same way. */
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

/** Whoever sends another header is somebody else to the server. */
function keyOf({ url, transport_protocol, auth_header, server_timeout_sec, trusted }: ToolServer): string {
  const identity = [url, transport_protocol, auth_header, server_timeout_sec, trusted];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}

/** The protocol's library takes half a second and 15 MB, which services without tool servers keep. */
async function connect(server: ToolServer, fetch: FetchLike): Promise<McpConnection> {
  const { connectMcpServer } = await import("./mcp-connection.ts");
  return connectMcpServer(server, fetch);
}

/** Makes connections as they are needed. `fetch` gives the function that may call a server's address. */
export function createMcpConnections(fetch: (server: ToolServer) => FetchLike): McpConnections {
  const kept = new Map<string, Kept>();

  function drop(key: string, entry: Kept): void {
    clearTimeout(entry.timer);
    if (kept.get(key) === entry) kept.delete(key);
  }

  function endLater(key: string, entry: Kept, afterMs: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      drop(key, entry);
      entry.connection.then((connection) => connection.close()).catch(() => undefined);
    }, afterMs).unref();
  }

  function connected(server: ToolServer): Promise<McpConnection> {
    const key = keyOf(server);
    const known = kept.get(key);
    if (known) {
      known.connection.then(() => endLater(key, known, keptMs)).catch(() => undefined);
      return known.connection;
    }
    const connection = connect(server, fetch(server));
    const entry: Kept = { connection, timer: setTimeout(() => undefined, 0) };
    kept.set(key, entry);
    connection.then(
      (made) => {
        endLater(key, entry, keptMs);
        made.onGone(() => drop(key, entry));
      },
      () => endLater(key, entry, avoidedMs),
    );
    return connection;
  }

  async function forget(server: ToolServer): Promise<void> {
    const key = keyOf(server);
    const entry = kept.get(key);
    if (!entry) return;
    drop(key, entry);
    await entry.connection.then((connection) => connection.close()).catch(() => undefined);
  }

  /** Does something with a server's connection; once more over a new one where the server has forgotten the old. */
  async function use<Result>(server: ToolServer, act: (connection: McpConnection) => Promise<Result>) {
    try {
      return await act(await connected(server));
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      await forget(server);
      if (!error.isForgotten) throw error;
      return await act(await connected(server));
    }
  }

  return {
    tools: (server) => use(server, (connection) => connection.tools()),
    call: (server, name, args, signal) => use(server, (connection) => connection.call(name, args, signal)),
    async close() {
      const entries = [...kept];
      for (const [key, entry] of entries) drop(key, entry);
      await Promise.allSettled(
        entries.map(async ([, { connection }]) => {
          await (await connection).close();
        }),
      );
    },
  };
}
