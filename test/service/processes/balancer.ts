import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A load balancer that sends each request to the next server in turn, and skips servers that are down. */
export interface Balancer {
  url: string;
  close(): Promise<void>;
}

/** Starts a balancer in front of servers, by their addresses. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  let turn = 0;

  function pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse, attempts: number): void {
    const target = new URL(incoming.url!, targets[turn++ % targets.length]);
    const outgoing = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => {
      if (attempts > 1) pass(incoming, body, response, attempts - 1);
      else response.writeHead(502).end();
    });
    outgoing.end(body);
  }

  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => pass(incoming, Buffer.concat(pieces), response, targets.length));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
