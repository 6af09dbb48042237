import type { Socket } from "node:net";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { type Http2Bindings, type HttpBindings, serve, type ServerType } from "@hono/node-server";

/** How long a connection is held, in ms. A sender that waits for its answer sends less. */
const heldMs = 1_000;

/**
 * The maximum number of held connections. Further ones are closed at once, so that the process does not run out of file
 * descriptors.
 */
const maxHeld = 256;

/** Closes connections without an answer, after a delay. Reads nothing more from them. */
class HeldConnections {
  #held = 0;

  close(socket: Socket): void {
    if (this.#held >= maxHeld) {
      socket.destroy();
      return;
    }
    this.#held += 1;
    const timer = setTimeout(() => socket.destroy(), heldMs);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#held -= 1;
    });
  }
}

const windowMs = 60_000;

/** The headers about limits of an answer that counts for nobody: every answer has them (interface specification, Limits). */
function uncountedHeaders(limit: number): Record<string, string> {
  const reset = Math.ceil((Math.floor(Date.now() / windowMs) + 1) * (windowMs / 1000));
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(limit),
    "X-RateLimit-Reset": String(reset),
  };
}

/** Answers with figures of their own, or of the relay's own limits. */
const countedPath = /^\/(?:api|embed\/v1)\//;

/** The headers of an answer to a request for a file or a page; none where the app counts the request. */
function headersOfPage({ url = "" }: IncomingMessage, limit: number): Record<string, string> {
  return countedPath.test(url) ? {} : uncountedHeaders(limit);
}

/** What Node refuses before any app sees it: status line and reason. */
const refusals: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};
const malformed: [status: string, detail: string] = ["400 Bad Request", "This is not an HTTP request."];

/** An answer without the server's help, after which the connection is closed. */
function rawAnswer(status: string, detail: string, limit: number): string {
  const errors = [{ code: "error", detail, attr: null }];
  const body = JSON.stringify({ type: "client_error", errors });
  const headers = { ...uncountedHeaders(limit), "Content-Type": "application/json", Connection: "close" };
  const lines = Object.entries({ ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/** Gives Node's own refusals the headers and the body of all others. */
function answerUnreadRequests(server: Server, limit: number): void {
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code === "ECONNRESET" || !socket.writable) socket.destroy();
    else socket.end(rawAnswer(...(refusals[code] ?? malformed), limit));
  });
  server.on("checkExpectation", (_request, response) => {
    const detail = "Only the expectation 100-continue is met.";
    const errors = [{ code: "error", detail, attr: null }];
    response.writeHead(417, { ...uncountedHeaders(limit), "Content-Type": "application/json" });
    response.end(JSON.stringify({ type: "client_error", errors }));
  });
}

/** What a body must bring on average to go on after its time, in bytes a second: a visitor's file on a slow line does. */
const slowestBytesPerSec = 16 * 1024;

/** The average is that of the last third of the time, so that one fast start holds no connection. */
const windows = 3;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Closes the connection of a request whose body is not there after `requestMs`, unless it keeps arriving. */
function closeIfSlow(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestMs: number,
  uncountedLimit: number,
): void {
  if (!hasBody(incoming)) return;
  const { socket } = incoming;
  const windowMs = requestMs / windows;
  let windowsOver = 0;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const bytes = socket.bytesRead - before;
    before = socket.bytesRead;
    if (incoming.complete) clearInterval(timer);
    else if (++windowsOver >= windows && bytes < (slowestBytesPerSec * windowMs) / 1000) {
      clearInterval(timer);
      if (!outgoing.headersSent)
        socket.write(rawAnswer("408 Request Timeout", "The body did not arrive in time.", uncountedLimit));
      socket.destroy();
    }
  }, windowMs);
  outgoing.once("close", () => clearInterval(timer));
}

/** A listening server. */
export interface HttpServer {
  port: number;
  /** Accepts no more connections; open ones are closed after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Answers requests. The second argument carries Node's own request. */
export type Fetch = (request: Request, environment: HttpBindings) => Response | Promise<Response>;

/** The time limits for senders, in ms. */
export interface SenderPatience {
  headersMs: number;
  /** From the headers to the last byte of the body. A body that keeps arriving may take longer. */
  requestMs: number;
}

/** The longest time for any request, in ms: a file of 10 MB on a line of 32 KB/s takes 320 s. */
const longestRequestMs = 360_000;

const defaultPatience: SenderPatience = { headersMs: 10_000, requestMs: 30_000 };

/** The limit that answers name which count for nobody: that of an address. */
const defaultUncountedLimit = 600;

/** How many bytes of an unread body are still received after its answer. Most senders finish within this limit. */
const letInBytes = 256 * 1024;

/**
 * Stops reading a body whose answer did not wait for it. Node's adapter reads for another half second before it closes the
 * connection, so that the sender receives the answer. At full speed that would be hundreds of megabytes.
 */
function stopReadingBehindAnswer({ incoming, outgoing }: HttpBindings): void {
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    let bytes = 0;
    incoming.on("data", (piece: Uint8Array) => {
      bytes += piece.byteLength;
      if (bytes > letInBytes) incoming.pause();
    });
  });
}

/** The adapter's types include HTTP/2, which this server does not speak. */
function isHttp1(environment: HttpBindings | Http2Bindings): environment is HttpBindings {
  return environment.outgoing instanceof ServerResponse;
}

/** The port of a server that listens. */
function portOf(server: ServerType): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server listens on no port.");
  return address.port;
}

/** Whether the connections of an address are closed, with nothing read and nothing answered. */
type IsBlocked = (address: string) => boolean;

/** Passes requests on, but closes connections of blocked addresses, and those of slow senders. */
function unlessBlocked(
  isBlocked: IsBlocked,
  { requestMs, uncountedLimit }: { requestMs: number; uncountedLimit: number },
  answer: RequestListener,
): RequestListener {
  const held = new HeldConnections();
  return (incoming, outgoing) => {
    if (isBlocked(incoming.socket.remoteAddress ?? "")) held.close(incoming.socket);
    else {
      closeIfSlow(incoming, outgoing, requestMs, uncountedLimit);
      for (const [name, value] of Object.entries(headersOfPage(incoming, uncountedLimit)))
        outgoing.setHeader(name, value);
      answer(incoming, outgoing);
    }
  };
}

/**
 * How long a connection without a request stays open, in ms: longer than load balancers keep theirs (60 s), and than the pause between
 * two heartbeats. A request fails that is sent just when the server closes its connection, and browsers repeat only those that read.
 */
const keepAliveMs = 65_000;

/**
 * Listens on a port (0: any free one). Slow senders get 408 and are disconnected: after 10 s for the headers, 30 s for a body that
 * does not keep arriving. Rejects when the port is in use. `uncountedLimit`: what answers that count for nobody name as their limit.
 */
export async function listen(
  fetch: Fetch,
  port: number,
  { headersMs, requestMs }: SenderPatience = defaultPatience,
  isBlocked: IsBlocked = () => false,
  uncountedLimit = defaultUncountedLimit,
): Promise<HttpServer> {
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve(
      {
        fetch: (request, environment) => {
          if (!isHttp1(environment)) throw new Error("The server speaks HTTP/1.1 only.");
          if (request.method !== "GET" && request.method !== "HEAD") stopReadingBehindAnswer(environment);
          return fetch(request, environment);
        },
        port,
        // The adapter calls it with these two arguments, but Node's type has four overloads.
        // eslint-disable-next-line no-restricted-syntax -- see above
        createServer: ((options: ServerOptions, answer: RequestListener) =>
          createServer(
            options,
            unlessBlocked(isBlocked, { requestMs, uncountedLimit }, answer),
          )) as typeof createServer,
        serverOptions: {
          headersTimeout: headersMs,
          requestTimeout: longestRequestMs,
          keepAliveTimeout: keepAliveMs,
          // Node's default is to check for slow senders only every 30 s.
          connectionsCheckingInterval: Math.min(1_000, headersMs),
        },
      },
      () => resolve(starting),
    );
    starting.once("error", reject);
    if (starting instanceof Server) answerUnreadRequests(starting, uncountedLimit);
  });
  return {
    port: portOf(server),
    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(
          () => "closeAllConnections" in server && server.closeAllConnections(),
          graceMs,
        );
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }),
  };
}
