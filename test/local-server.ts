import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Lets a server of this machine listen until the end of the test. Resolves with its port. */
export async function listening(server: Server, at = { port: 0, host: "127.0.0.1" }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server on this machine until the end of the test. Resolves with its port. */
export const serve = (answer: RequestListener): Promise<number> => listening(createServer(answer));

/** The same, with its address. It can be ended before. */
export async function serveLocally(handle: RequestListener) {
  const server = createServer(handle);
  const port = await listening(server);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, origin: `http://127.0.0.1:${port}`, close };
}

/** The body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
