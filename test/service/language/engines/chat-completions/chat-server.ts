import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { bodyOf, serveLocally } from "../../../../local-server.ts";

/** A request as the server received it. */
export interface ChatRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    stream: boolean;
    temperature?: number;
    tool_choice?: string;
    messages: { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string }[];
    tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
    [field: string]: unknown;
  };
}

/** Answers one request. */
export type ChatAnswer = (response: ServerResponse, request: ChatRequest) => void | Promise<void>;

export interface ChatServer {
  url: string;
  requests: ChatRequest[];
  /** Resolves when the connection of the latest request is closed. */
  closed(): Promise<void>;
}

/** One event of a streamed completion. */
export function chunk(delta: Record<string, unknown>, finish: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finish };
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [choice] })}\n\n`;
}

/** A completion with these texts, one per chunk. */
export function saying(...texts: string[]): string {
  const first = chunk({ role: "assistant", content: "" });
  const usage = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 7 } })}\n\n`;
  const middle = texts.map((content) => chunk({ content })).join("");
  return `${first}${middle}${chunk({}, "stop")}${usage}data: [DONE]\n\n`;
}

/** A completion that calls tools: each call's name in one chunk, its arguments in pieces of three characters. */
export function calling(...calls: { id: string; name: string; args: unknown }[]): string {
  const chunks = calls.flatMap(({ id, name, args }, index) => {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const open = { index, id, type: "function", function: { name, arguments: "" } };
    const pieces = text.match(/[\s\S]{1,3}/g) ?? [];
    return [
      chunk({ tool_calls: [open] }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
  return `${chunks.join("")}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
}

/** Answers with a complete stream at once. */
export function streams(text: string): ChatAnswer {
  return (response) => void response.writeHead(200, { "Content-Type": "text/event-stream" }).end(text);
}

/** Answers with a status and a typical error body. */
export function refuses(status: number): ChatAnswer {
  const body = JSON.stringify({ error: { message: "secret detail of the engine", type: "server_error" } });
  return (response) => void response.writeHead(status, { "Content-Type": "application/json" }).end(body);
}

/** A server of the chat completions protocol on a free port. The last answer serves every further request. */
export async function runChatServer(...answers: ChatAnswer[]): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let closed: Promise<void> = Promise.resolve();
  const { origin } = await serveLocally((incoming, response) => {
    closed = new Promise((resolve) => response.on("close", () => resolve()));
    void bodyOf(incoming).then((text) => {
      const body = JSON.parse(text || "{}") as ChatRequest["body"];
      const request = { path: incoming.url ?? "", headers: incoming.headers, body };
      requests.push(request);
      return answers[Math.min(requests.length, answers.length) - 1]?.(response, request);
    });
  });
  return { url: `${origin}/v1`, requests, closed: () => closed };
}
