import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The parts of the request bodies that tests look at. */
interface Body {
  event?: string;
  context_id?: string;
  messages: unknown[];
  tools: unknown[];
  speech_rate?: number;
}

/** One request that the relay was sent. */
export interface SeenRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Body;
}

type Handler = (request: SeenRequest, response: ServerResponse) => void;

/** A server that speaks the relay's API, over real HTTP; tests replace single handlers. */
export class RelayStandIn {
  readonly seen: SeenRequest[] = [];
  readonly handlers = new Map<string, Handler>();
  origin = "";
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  constructor() {
    this.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) =>
      json(response, 200, context),
    );
    this.handlers.set("POST /embed/v1/sessions", (_request, response) => json(response, 201, created));
    this.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
      json(response, 201, eventAnswer(request.body.event ?? "")),
    );
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Kinds of the events reported, in order. */
  get events(): string[] {
    return this.seen.filter(({ path }) => path.endsWith("/event")).map(({ body }) => body.event ?? "");
  }

  /** Answers the requests to the language model, one after the other, with these events. */
  answerWith(...answers: object[][]): void {
    this.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) => {
      response.setHeader("content-type", "text/event-stream");
      for (const event of answers.shift() ?? []) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  }

  get asked(): Body[] {
    return this.seen.filter(({ path }) => path.endsWith("/llm")).map(({ body }) => body);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const seen: SeenRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: text ? (JSON.parse(text) as Body) : { messages: [], tools: [] },
    };
    this.seen.push(seen);
    const handler = this.handlers.get(`${seen.method} ${seen.path}`);
    if (handler) handler(seen, response);
    else json(response, 404, refusal("not_found"));
  }
}

export function json(response: ServerResponse, status: number, body: object): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

export const refusal = (code: string): object => ({
  type: "client_error",
  errors: [{ code, detail: `Refused: ${code}.`, attr: null }],
});

export const piece = (content: string): object => ({
  status: "success",
  type: "message",
  role: "assistant",
  content,
});

export function eventAnswer(event: string, terminateReason: string | null = null): object {
  return {
    sessionevent_id: "e1",
    event,
    detail: null,
    file: null,
    created_at: "2026-01-01T00:00:00Z",
    terminate: terminateReason !== null,
    terminate_reason: terminateReason,
  };
}

const created = {
  session: { session_id: "s1", status: "CREATED", created_at: "2026-01-01T00:00:00Z" },
  server_sdp: null,
  ice_servers: [],
  token: "t1",
  expires_at: "2026-01-01T01:00:00Z",
};

export const context = {
  context_id: "ctx_test",
  name: "Test",
  avatar_name: "Mara",
  greeting: "Welcome.",
  model_style: { name: "mina", matte: "packed-alpha", poster: null, still: null },
  background: null,
  stage: { padding_left: 0, padding_top: 0, padding_height: 1, transparent: false },
  ui: {},
  idle_timeout_sec: 0,
  max_session_sec: 0,
  direct: true,
};
