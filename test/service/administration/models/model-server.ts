import type { IncomingMessage, ServerResponse } from "node:http";
import { serveLocally } from "../../../local-server.ts";

/** How the server answers, besides the file itself. */
export interface ServerBehaviour {
  /** Cuts the connection after so many bytes of the body, so many times, when the client has kept some: `start` is their first. */
  cutAfter?: number;
  cuts?: number;
  hasKept?: (start: number) => boolean;
  /** Ignores ranges. */
  noRanges?: boolean;
  /** Answers with this status, so many times. */
  status?: number;
  refusals?: number;
  /** Null: the server identifies no version. */
  etag?: string | null;
  /** Never answers. */
  isSilent?: boolean;
  /** Does not tell the length. */
  noLength?: boolean;
}

/** A request that the server got. */
export interface SeenRequest {
  path: string;
  range: string | undefined;
  ifRange: string | undefined;
}

function rangeStart({ headers }: IncomingMessage, { noRanges, etag }: ServerBehaviour): number {
  if (noRanges || headers["if-range"] !== (etag ?? undefined)) return 0;
  return Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
}

function answer(
  content: Buffer,
  behaviour: ServerBehaviour,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { etag, noLength, cutAfter, cuts = 0, hasKept } = behaviour;
  const start = rangeStart(request, behaviour);
  if (start >= content.length && start > 0) {
    response.writeHead(416, { "Content-Range": `bytes */${content.length}` }).end();
    return;
  }
  const body = content.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, {
    ...(etag && { ETag: etag }),
    ...(!noLength && { "Content-Length": body.length }),
    ...(start > 0 && { "Content-Range": `bytes ${start}-${content.length - 1}/${content.length}` }),
  });
  if (cutAfter === undefined || cuts <= 0) {
    response.end(body);
    return;
  }
  behaviour.cuts = cuts - 1;
  // What the client has received but not yet read is lost to it when the connection ends.
  response.write(body.subarray(0, cutAfter));
  const looking = setInterval(() => {
    if (hasKept?.(start)) response.destroy();
  }, 10);
  response.once("close", () => clearInterval(looking));
}

/** A server with files, which behaves as a test asks it to. Behaviour may be changed between requests. */
export async function runModelServer(files: Record<string, Buffer>, behaviour: ServerBehaviour = {}) {
  const seen: SeenRequest[] = [];
  const { origin } = await serveLocally((request, response) => {
    const path = request.url ?? "";
    seen.push({ path, range: request.headers.range, ifRange: request.headers["if-range"]?.toString() });
    if (behaviour.isSilent) return;
    const content = files[path];
    const { status, refusals = 0 } = behaviour;
    if (status !== undefined && refusals > 0) {
      behaviour.refusals = refusals - 1;
      response.writeHead(status).end();
    } else if (content) answer(content, behaviour, request, response);
    else response.writeHead(404).end();
  });
  return { url: origin, seen, behaviour };
}
