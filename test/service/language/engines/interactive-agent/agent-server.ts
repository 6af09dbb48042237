import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { bodyOf, serveLocally } from "../../../../local-server.ts";

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
  const { origin } = await serveLocally((incoming, response) => {
    void bodyOf(incoming).then((text) => {
      const body = JSON.parse(text) as AgentRequest["body"];
      const request = { method: incoming.method ?? "", headers: incoming.headers, body };
      requests.push(request);
      answer(response, request);
    });
  });
  return { url: `${origin}/turn`, requests };
}

/** Answers with these events, in the standard format. */
export function agentEvents(...events: unknown[]) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  };
}
