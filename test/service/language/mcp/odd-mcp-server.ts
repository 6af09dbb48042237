import { bodyOf, serveLocally } from "../../../local-server.ts";

/** What a server answers to a request: a result, an error of JSON-RPC, or another status with a body. */
type OddAnswer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; body?: string; headers?: Record<string, string> };

interface RpcRequest {
  id?: number;
  method: string;
  params?: { protocolVersion?: string; name?: string };
}

const initialized = (request: RpcRequest): OddAnswer => ({
  result: {
    protocolVersion: request.params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1" },
  },
});

/**
 * A tool server that is written without the library, and answers as `answer` says; undefined: as usual, with one session for
 * each connection. Null for no answer at all.
 */
export async function oddMcpServer(
  answer: (request: RpcRequest, session: string | undefined) => OddAnswer | undefined,
): Promise<{ url: string; sessions: () => number }> {
  let sessions = 0;
  const { origin } = await serveLocally((request, response) => {
    void bodyOf(request).then((text) => {
      if (text === "") return response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      const asked = JSON.parse(text) as RpcRequest;
      if (asked.id === undefined) return response.writeHead(202).end();
      const known = request.headers["mcp-session-id"];
      const begins = asked.method === "initialize";
      const session = begins ? `s${sessions + 1}` : typeof known === "string" ? known : undefined;
      const said = answer(asked, session) ?? (begins ? initialized(asked) : { result: { tools: [] } });
      if ("status" in said) return response.writeHead(said.status, said.headers).end(said.body);
      if (begins) sessions++;
      const headers = { "content-type": "application/json", "mcp-session-id": session ?? "" };
      return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...said }));
    });
  });
  return { url: `${origin}/mcp`, sessions: () => sessions };
}
