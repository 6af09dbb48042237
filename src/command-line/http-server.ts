import type { AddressInfo } from "node:net";
import { serve, type HttpBindings, type ServerType } from "@hono/node-server";

/** A server that listens. */
export interface HttpServer {
  port: number;
  /** Takes no more connections; open ones are cut after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Whoever answers requests; the second argument carries Node's own request. */
export type Fetch = (request: Request, environment: unknown) => Response | Promise<Response>;

/** How long senders may take, in ms. */
export interface SenderPatience {
  headersMs: number;
  /** From the first byte of the request to the last of its body. */
  requestMs: number;
}

const defaultPatience: SenderPatience = { headersMs: 10_000, requestMs: 30_000 };

/** So much of a body that nobody reads is let in behind its answer, in bytes: most senders are done by then. */
const letInBytes = 256 * 1024;

/**
 * Stops reading a body that its answer did not wait for. Node's adapter reads on for half a second before it closes the
 * connection, so that the sender hears the answer; at full speed that would be hundreds of megabytes.
 */
function stopReadingBehindAnswer(environment: unknown): void {
  const { incoming, outgoing } = environment as HttpBindings;
  outgoing.once("finish", () => {
    if (incoming.complete) return;
    let bytes = 0;
    incoming.on("data", (piece: Uint8Array) => {
      bytes += piece.byteLength;
      if (bytes > letInBytes) incoming.pause();
    });
  });
}

/**
 * Listens on a port (0: any that is free). Slow senders are cut: after 10 s for the headers, 30 s for a whole request, each
 * with 408. Rejects when the port is taken.
 */
export async function listen(
  fetch: Fetch,
  port: number,
  { headersMs, requestMs }: SenderPatience = defaultPatience,
): Promise<HttpServer> {
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve(
      {
        fetch: (request, environment) => {
          if (request.method !== "GET" && request.method !== "HEAD") stopReadingBehindAnswer(environment);
          return fetch(request, environment);
        },
        port,
        serverOptions: {
          headersTimeout: headersMs,
          requestTimeout: requestMs,
          // Node looks for slow senders every 30 s where nobody says otherwise.
          connectionsCheckingInterval: Math.min(1_000, headersMs),
        },
      },
      () => resolve(starting),
    );
    starting.once("error", reject);
  });
  return {
    port: (server.address() as AddressInfo).port,
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
