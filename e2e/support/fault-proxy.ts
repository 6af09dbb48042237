import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came through the proxy. */
export interface ProxiedRequest {
  method: string;
  path: string;
  /** On the clock of `performance.now()`. */
  atMs: number;
}

/** What the proxy does with a request instead of passing it on. */
export type Fault =
  /** Answered here; the target never sees it. */
  | { kind: "refuse"; status: number; headers?: Record<string, string>; body?: unknown }
  /** The target handles it, but the client gets this status. */
  | { kind: "spoil"; status: number }
  /** Nothing comes after the line of the body that contains this text, and then the connection breaks. */
  | { kind: "cut"; after: string; when: Promise<void> }
  /** The client gets the response headers and nothing more. */
  | { kind: "stall" }
  /** The connection is closed without a byte. */
  | { kind: "cut-off" }
  /** The client never gets a byte. */
  | { kind: "silence" };

/** A proxy in front of a relay that breaks chosen requests. */
export interface FaultProxy {
  readonly origin: string;
  readonly requests: ProxiedRequest[];
  /** Called for every request except preflights. Null: everything is passed on. */
  rule: ((request: ProxiedRequest) => Fault | undefined) | null;
  close(): Promise<void>;
}

/** Headers that let the page read the proxy's own responses. */
const readable = (request: IncomingMessage): Record<string, string> => ({
  "access-control-allow-origin": request.headers.origin ?? "*",
  "access-control-expose-headers": "Retry-After, X-RateLimit-Reset",
});

function pass(
  target: URL,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): void {
  const { method, headers } = incoming;
  const outgoing = forward(
    { host: target.hostname, port: target.port, method, path: incoming.url, headers: { ...headers } },
    (answer) => {
      const status = fault?.kind === "spoil" ? fault.status : (answer.statusCode ?? 502);
      if (fault?.kind === "spoil") {
        answer.resume();
        response.writeHead(status, readable(incoming)).end();
        return;
      }
      response.writeHead(status, answer.headers);
      if (fault?.kind === "stall") {
        answer.resume();
        response.flushHeaders();
        return;
      }
      if (fault?.kind === "cut") cutShort(answer, response, fault);
      else answer.pipe(response);
      answer.on("error", () => response.destroy());
    },
  );
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Passes a response on up to the end of the line that contains the text. Breaks the connection when it is told to. */
function cutShort(
  answer: IncomingMessage,
  response: ServerResponse,
  { after, when }: Extract<Fault, { kind: "cut" }>,
): void {
  let seen = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    seen += chunk;
    const end = seen.includes(after) ? seen.indexOf("\n", seen.indexOf(after)) : -1;
    if (end < 0 || response.writableEnded || response.destroyed) return;
    response.write(`${seen.slice(0, end)}\n\n`);
    answer.destroy();
    void when.then(() => response.destroy());
  });
}

/** Starts a proxy in front of the target. */
export async function startFaultProxy(targetOrigin: string): Promise<FaultProxy> {
  const target = new URL(targetOrigin);
  const requests: ProxiedRequest[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.method === "OPTIONS") {
      pass(target, incoming, response, undefined);
      return;
    }
    const path = (incoming.url ?? "/").split("?")[0] ?? "/";
    const request = { method: incoming.method ?? "GET", path, atMs: performance.now() };
    requests.push(request);
    const fault = proxy.rule?.(request);
    if (fault?.kind === "silence") return void incoming.resume();
    if (fault?.kind === "cut-off") return void response.destroy();
    if (fault?.kind !== "refuse") {
      pass(target, incoming, response, fault);
      return;
    }
    incoming.resume();
    response.writeHead(fault.status, {
      "content-type": "application/json",
      ...readable(incoming),
      ...fault.headers,
    });
    response.end(JSON.stringify(fault.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const proxy: FaultProxy = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    rule: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
