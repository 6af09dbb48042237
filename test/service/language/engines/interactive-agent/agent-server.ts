import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface AgentRequest {
  method: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface AgentServer {
  url: string;
  requests: AgentRequest[];
}

/** An agent server as docs/agents.md describes it, on a free port. */
export async function runAgentServer(
  answer: (response: ServerResponse, request: AgentRequest) => void,
): Promise<AgentServer> {
  const requests: AgentRequest[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as AgentRequest["body"];
      const request = { method: incoming.method ?? "", headers: incoming.headers, body };
      requests.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/turn`, requests };
}

/** Answers with these events, in the standard format. */
export function agentEvents(...events: unknown[]) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  };
}
