import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";

/** A server that listens. */
export interface HttpServer {
  port: number;
  /** Takes no more connections; open ones are cut after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Whoever answers requests; the second argument carries Node's own request. */
export type Fetch = (request: Request, environment: unknown) => Response | Promise<Response>;

/**
 * Listens on a port (0: any that is free). Slow senders are cut: 10 s for the headers, 30 s for a whole request.
 * Rejects when the port is taken.
 */
export async function listen(fetch: Fetch, port: number): Promise<HttpServer> {
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve(
      { fetch, port, serverOptions: { headersTimeout: 10_000, requestTimeout: 30_000 } },
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
