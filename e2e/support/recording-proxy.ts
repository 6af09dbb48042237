import { createServer, request as send, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What a browser sent: all bytes of it, also those of files, which the browser's own tools leave out. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

/** A server between a browser and the server under test. */
export interface RecordingProxy {
  readonly origin: string;
  readonly requests: readonly SentRequest[];
  close(): Promise<void>;
}

/** Passes everything on to `target`, and keeps what was sent. */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const requests: SentRequest[] = [];
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method = "GET", url = "/", headers } = request;
      const body = Buffer.concat(pieces);
      requests.push({ method, path: url, body });
      const own = { ...headers, host: new URL(target).host, ...(headers.origin && { origin: target }) };
      const passed = send(`${target}${url}`, { method, headers: own }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
