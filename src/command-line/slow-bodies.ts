import type { IncomingMessage, ServerResponse } from "node:http";

/** What a body must bring on average to go on after its time, in bytes a second: a visitor's file on a slow line does. */
const slowestBytesPerSec = 16 * 1024;

/** The average is that of the last third of the time, so that one fast start holds no connection. */
const windows = 3;

const refusal = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Closes the connection of a request whose body is not there after `requestMs`, unless it keeps arriving. */
export function closeIfSlow(incoming: IncomingMessage, outgoing: ServerResponse, requestMs: number): void {
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
      if (!outgoing.headersSent) socket.write(refusal);
      socket.destroy();
    }
  }, windowMs);
  outgoing.once("close", () => clearInterval(timer));
}
