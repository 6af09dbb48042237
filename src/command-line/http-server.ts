import { createServer, ServerResponse, type RequestListener, type ServerOptions } from "node:http";
import { serve, type Http2Bindings, type HttpBindings, type ServerType } from "@hono/node-server";
import { HeldConnections } from "./held-connections.ts";
import { closeIfSlow } from "./slow-bodies.ts";

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
export type IsBlocked = (address: string) => boolean;

/** Passes requests on, but closes connections of blocked addresses, and those of slow senders. */
function unlessBlocked(isBlocked: IsBlocked, requestMs: number, answer: RequestListener): RequestListener {
  const held = new HeldConnections();
  return (incoming, outgoing) => {
    if (isBlocked(incoming.socket.remoteAddress ?? "")) held.close(incoming.socket);
    else {
      closeIfSlow(incoming, outgoing, requestMs);
      answer(incoming, outgoing);
    }
  };
}

/**
 * Listens on a port (0: any free one). Slow senders get 408 and are disconnected: after 10 s for the headers, 30 s for a body that
 * does not keep arriving. Rejects when the port is in use.
 */
export async function listen(
  fetch: Fetch,
  port: number,
  { headersMs, requestMs }: SenderPatience = defaultPatience,
  isBlocked: IsBlocked = () => false,
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
          createServer(options, unlessBlocked(isBlocked, requestMs, answer))) as typeof createServer,
        serverOptions: {
          headersTimeout: headersMs,
          requestTimeout: longestRequestMs,
          // Node's default is to check for slow senders only every 30 s.
          connectionsCheckingInterval: Math.min(1_000, headersMs),
        },
      },
      () => resolve(starting),
    );
    starting.once("error", reject);
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
